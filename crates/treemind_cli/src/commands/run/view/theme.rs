//! Colours and glyphs. Nothing is shown by colour alone.

use ratatui::style::{Color, Modifier, Style};
use treemind_arena::Kind;
use treemind_core::Status;
use treemind_watch::{Mark, Tone};

/// Colours, or only bold and faint text.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Theme {
    pub(in super::super) has_colours: bool,
}

impl Theme {
    fn colour(self, colour: Color, otherwise: Modifier) -> Style {
        if self.has_colours {
            Style::default().fg(colour)
        } else {
            Style::default().add_modifier(otherwise)
        }
    }

    fn block(self, colour: Color) -> Style {
        if self.has_colours {
            Style::default()
                .fg(Color::Black)
                .bg(colour)
                .add_modifier(Modifier::BOLD)
        } else {
            Style::default().add_modifier(Modifier::REVERSED | Modifier::BOLD)
        }
    }

    /// One of the colours of a scale.
    pub(in super::super) fn shade(self, colour: Color) -> Style {
        self.colour(colour, Modifier::empty())
    }

    pub(in super::super) fn strong(self) -> Style {
        Style::default().add_modifier(Modifier::BOLD)
    }

    pub(in super::super) fn faint(self) -> Style {
        self.colour(Color::Indexed(244), Modifier::DIM)
    }

    /// The body that the keys steer.
    pub(super) fn hero(self) -> Style {
        self.block(Color::LightGreen)
    }

    pub(in super::super) fn title(self) -> Style {
        self.block(Color::Cyan)
    }

    pub(in super::super) fn alert(self) -> Style {
        self.block(Color::Yellow)
    }

    pub(super) fn status(self, status: Status) -> Style {
        match status {
            Status::Running => self.colour(Color::Yellow, Modifier::BOLD),
            Status::Success => self.colour(Color::Green, Modifier::empty()),
            Status::Failure => self.colour(Color::Red, Modifier::empty()),
            Status::Skipped => self.colour(Color::Cyan, Modifier::DIM),
        }
    }

    pub(super) fn mark(self, mark: Mark) -> (&'static str, Style) {
        match mark {
            Mark::Now(status) => (glyph(status), self.status(status)),
            Mark::Earlier(status) => (earlier_glyph(status), self.faint()),
            Mark::Aborted => ("⊘", self.colour(Color::Magenta, Modifier::BOLD)),
            Mark::Entered => (
                glyph(Status::Running),
                self.status(Status::Running)
                    .add_modifier(Modifier::REVERSED),
            ),
            Mark::Left => ("◂", self.colour(Color::Magenta, Modifier::BOLD)),
            Mark::Idle => ("·", self.faint()),
        }
    }

    pub(super) fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Calm => Style::default(),
            Tone::Notice => self.colour(Color::Yellow, Modifier::BOLD),
            Tone::Fight => self.colour(Color::LightRed, Modifier::BOLD),
            Tone::Fault => self.alert(),
        }
    }

    pub(in super::super) fn wall(self) -> Style {
        self.colour(Color::Indexed(240), Modifier::DIM)
    }

    /// The floor in sight of the selected mind.
    pub(super) fn in_sight(self) -> Style {
        if self.has_colours {
            Style::default()
                .fg(Color::Indexed(143))
                .bg(Color::Indexed(58))
        } else {
            Style::default()
        }
    }

    /// A thing, by its kind.
    pub(super) fn thing(self, kind: Kind) -> Style {
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

    /// The path of the selected mind.
    pub(super) fn way(self) -> Style {
        self.colour(Color::Cyan, Modifier::empty())
    }

    /// A spreading noise.
    pub(super) fn noise(self) -> Style {
        self.colour(Color::Magenta, Modifier::BOLD)
    }

    /// The same style on the floor in sight of the selected mind.
    pub(super) fn lit(self, style: Style) -> Style {
        if self.has_colours {
            style.bg(Color::Indexed(58))
        } else {
            style
        }
    }

    /// The selected line.
    pub(super) fn selected(self) -> Style {
        Style::default().add_modifier(Modifier::REVERSED)
    }

    /// The selected mind.
    pub(super) fn chosen(self) -> Style {
        self.block(Color::Cyan)
    }

    /// An enemy of the selected mind: bright when that mind sees it.
    pub(super) fn enemy(self, is_seen: bool) -> Style {
        if is_seen {
            self.block(Color::LightRed)
        } else {
            self.colour(Color::LightRed, Modifier::BOLD)
        }
    }

    /// A body that is being hit.
    pub(super) fn hit(self) -> Style {
        self.block(Color::White)
    }

    /// A bar of hit points, by the share that is left.
    pub(super) fn health(self, permille: i32) -> Style {
        match permille {
            0..200 => self.colour(Color::LightRed, Modifier::BOLD),
            200..500 => self.colour(Color::Yellow, Modifier::empty()),
            _ => self.colour(Color::Green, Modifier::empty()),
        }
    }
}

/// Like [`glyph`], for an answer of an earlier tick.
fn earlier_glyph(status: Status) -> &'static str {
    match status {
        Status::Running => "▷",
        Status::Success => "✓",
        Status::Failure => "✗",
        Status::Skipped => "↷",
    }
}

fn glyph(status: Status) -> &'static str {
    match status {
        Status::Running => "▶",
        Status::Success => "✔",
        Status::Failure => "✘",
        Status::Skipped => "↷",
    }
}
