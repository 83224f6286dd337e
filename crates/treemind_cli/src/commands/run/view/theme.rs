//! The colours of the arena.

use ratatui::style::{Color, Modifier, Style};
use treemind_arena::Kind;
use treemind_view::Theme;

/// How what is in the arena looks.
pub(in super::super) trait ArenaTheme {
    fn wall(self) -> Style;
    /// The floor in sight of the selected mind.
    fn in_sight(self) -> Style;
    /// A thing, by its kind.
    fn thing(self, kind: Kind) -> Style;
    /// A spreading noise.
    fn noise(self) -> Style;
    /// The same style on the floor in sight of the selected mind.
    fn lit(self, style: Style) -> Style;
    /// An enemy of the selected mind: bright when that mind sees it.
    fn enemy(self, is_seen: bool) -> Style;
    /// A body that is being hit.
    fn hit(self) -> Style;
    /// A bar of hit points, by the share that is left.
    fn health(self, permille: i32) -> Style;
}

impl ArenaTheme for Theme {
    fn wall(self) -> Style {
        self.colour(Color::Indexed(240), Modifier::DIM)
    }

    fn in_sight(self) -> Style {
        if self.has_colours {
            Style::default()
                .fg(Color::Indexed(143))
                .bg(Color::Indexed(58))
        } else {
            Style::default()
        }
    }

    fn thing(self, kind: Kind) -> Style {
        match kind {
            Kind::Door => self.colour(Color::Indexed(137), Modifier::BOLD),
            Kind::Coin | Kind::Food => self.colour(Color::LightYellow, Modifier::BOLD),
            Kind::Charger | Kind::Depot => self.colour(Color::Green, Modifier::BOLD),
            Kind::Rubbish | Kind::Ball => self.colour(Color::Magenta, Modifier::BOLD),
            Kind::Bin | Kind::Bed | Kind::Stove | Kind::Desk => {
                self.colour(Color::Blue, Modifier::BOLD)
            }
        }
    }

    fn noise(self) -> Style {
        self.colour(Color::Magenta, Modifier::BOLD)
    }

    fn lit(self, style: Style) -> Style {
        if self.has_colours {
            style.bg(Color::Indexed(58))
        } else {
            style
        }
    }

    fn enemy(self, is_seen: bool) -> Style {
        if is_seen {
            self.block(Color::LightRed)
        } else {
            self.colour(Color::LightRed, Modifier::BOLD)
        }
    }

    fn hit(self) -> Style {
        self.block(Color::White)
    }

    fn health(self, permille: i32) -> Style {
        match permille {
            0..200 => self.colour(Color::LightRed, Modifier::BOLD),
            200..500 => self.colour(Color::Yellow, Modifier::empty()),
            _ => self.colour(Color::Green, Modifier::empty()),
        }
    }
}
