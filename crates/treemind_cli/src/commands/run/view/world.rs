//! The arena from above.

use super::{Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Body, BodyId, Cell, DoorState, Kind, Thing, World};

const ARROWS: [char; 8] = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'];
/// For how many ticks one sees that somebody was hit.
const HIT_TICKS: u64 = 5;

/// The world, whom one looks at, and what is to be seen of it.
struct Scene<'a> {
    screen: &'a Screen<'a>,
    world: &'a World,
    focus: BodyId,
    is_wide: bool,
}

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    screen: &Screen<'_>,
    world: &World,
    columns: u16,
) {
    let scene = Scene {
        screen,
        world,
        focus: screen.player.focus().unwrap_or(BodyId(0)),
        is_wide: columns == 2,
    };
    let legend = scene.legend(usize::from(area.width.saturating_sub(2)));
    let frame_block = block(" arena ".to_owned(), screen.theme)
        .title_bottom(Line::styled(legend, screen.theme.faint()));
    let inside = frame_block.inner(area);
    frame.render_widget(frame_block, area);
    let across = i32::from(inside.width / columns);
    let down = i32::from(inside.height);
    let grid = world.ground().grid();
    let middle = world.body(scene.focus).place().cell();
    let first_x = first_visible(middle.x, across, grid.width());
    let first_y = first_visible(middle.y, down, grid.height());
    let rows = (first_y..(first_y + down).min(grid.height())).map(|y| {
        let last_x = (first_x + across).min(grid.width());
        let spans = (first_x..last_x).map(|x| scene.square(Cell { x, y }));
        Line::from(spans.collect::<Vec<_>>())
    });
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()), inside);
}

/// The first row or column to show of a map that is too large: whom one looks at is kept in the middle.
fn first_visible(middle: i32, visible: i32, size: i32) -> i32 {
    (middle - visible / 2).clamp(0, (size - visible).max(0))
}

/// The sign of a thing.
pub(super) fn sign(thing: &Thing) -> char {
    match (thing.kind, thing.door) {
        (Kind::Door, DoorState::Open) => '░',
        (Kind::Door, DoorState::Closed) => '▒',
        (Kind::Door, DoorState::Locked(_)) => '▓',
        (Kind::Coin, _) => '¢',
        (Kind::Rubbish, _) => '*',
        (Kind::Bin, _) => '∪',
        (Kind::Charger, _) => '±',
        (Kind::Bed, _) => '▬',
        (Kind::Food, _) => '%',
        (Kind::Stove, _) => '≈',
        (Kind::Desk, _) => '╤',
        (Kind::Ball, _) => 'o',
        (Kind::Depot, _) => '■',
    }
}

impl Scene<'_> {
    /// What signs mean, as far as there is room.
    fn legend(&self, width: usize) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut add = |sign: char, what: &str| {
            let part = format!("{sign} {what}");
            if !parts.contains(&part) {
                parts.push(part);
            }
        };
        for body in self.world.bodies() {
            let name = body
                .name()
                .trim_end_matches(|end: char| end.is_ascii_digit());
            add(body.traits().sign, name.trim_end());
        }
        if self.world.spot("hut").is_some() {
            add('⌂', "hut");
        }
        for thing in self.world.things() {
            add(sign(thing), &thing.name);
        }
        if self.is_wide {
            parts.push("·· in its sight".to_owned());
        }
        let gap = if self.is_wide { "  " } else { " " };
        let mut legend = String::new();
        for part in parts {
            let more = if legend.is_empty() { "" } else { gap };
            if (legend.chars().count() + more.len() + part.chars().count()) > width {
                break;
            }
            legend.push_str(more);
            legend.push_str(&part);
        }
        match self.is_wide {
            true => format!(" {legend} "),
            false => legend,
        }
    }

    fn square(&self, cell: Cell) -> Span<'static> {
        let (world, theme) = (self.world, self.screen.theme);
        // Whom one looks at hides others, and those who live hide the dead.
        let there = world.ids().filter(|who| {
            let body = world.body(*who);
            body.is_there() && body.place().cell() == cell
        });
        let rank = |who: &BodyId| (*who != self.focus, !world.body(*who).is_alive());
        if let Some(who) = there.min_by_key(rank) {
            return self.body(who);
        }
        if world.ground().grid().is_wall(cell) {
            return Span::styled(if self.is_wide { "██" } else { "█" }, theme.wall());
        }
        let is_seen = world.sees(self.focus, cell);
        let style = if is_seen {
            theme.in_sight()
        } else {
            theme.faint()
        };
        let mut things = world.things().iter().rev();
        let thing = things.find(|thing| thing.cell == cell);
        match (
            thing.map(sign).or_else(|| self.spot(cell)),
            is_seen,
            self.is_wide,
        ) {
            (Some(sign), _, true) => Span::styled(format!("{sign} "), style),
            (Some(sign), _, false) => Span::styled(sign.to_string(), style),
            (None, true, true) => Span::styled("··", style),
            (None, true, false) => Span::styled("·", style),
            (None, false, true) => Span::raw("  "),
            (None, false, false) => Span::raw(" "),
        }
    }

    /// The sign of a place with a name; the ways of those without a mind are not shown.
    fn spot(&self, cell: Cell) -> Option<char> {
        let scenario = self.world.scenario();
        let spot = scenario.spots.iter().find(|spot| spot.cell == cell)?;
        let is_way = scenario
            .actors
            .iter()
            .any(|(traits, _)| traits.mind.is_none() && traits.route == spot.name);
        match (is_way, spot.name.as_str()) {
            (true, _) => None,
            (false, "hut") => Some('⌂'),
            (false, _) => Some(spot.sign),
        }
    }

    /// Somebody: a letter and an arrow, or in a narrow view the letter alone.
    fn body(&self, who: BodyId) -> Span<'static> {
        let body = self.world.body(who);
        let arrow = if body.is_alive() {
            ARROWS[body.facing().eighth()]
        } else {
            '✝'
        };
        let sign = body.traits().sign;
        let text = match (self.is_wide, body.is_alive()) {
            (true, _) => format!("{sign}{arrow}"),
            (false, true) => sign.to_string(),
            (false, false) => arrow.to_string(),
        };
        Span::styled(text, self.style(who, body))
    }

    fn style(&self, who: BodyId, body: &Body) -> Style {
        let theme = self.screen.theme;
        let focus = self.world.body(self.focus);
        let tick = self.world.tick();
        if body.hurt_tick().is_some_and(|hurt| tick - hurt < HIT_TICKS) {
            theme.hit()
        } else if who == self.focus {
            theme.guard()
        } else if body.is_enemy_of(focus) {
            let is_seen = focus.sees_now() && focus.seen().is_some_and(|seen| seen.who == who);
            theme.intruder(is_seen)
        } else {
            theme.strong()
        }
    }
}
