//! The arena from above.

use super::{Arena, ArenaTheme as _};
use crate::commands::run::player::NOISE_TICKS;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use treemind_arena::{Body, BodyId, Cell, DoorState, Grid, Kind, Thing, Vital, World};
use treemind_view::Hits;
use treemind_view::draw::{TREE_WIDTH, block};

const ARROWS: [char; 8] = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'];
/// The arrows of a body that sees an enemy.
const WIDE_ARROWS: [char; 8] = ['⇒', '⇘', '⇓', '⇙', '⇐', '⇖', '⇑', '⇗'];
/// For how many ticks the view shows that a body was hit.
const HIT_TICKS: u64 = 5;
/// A square with a face.
const BIG: (u16, u16) = (4, 2);
/// A letter and an arrow.
const WIDE: (u16, u16) = (2, 1);
/// A letter.
const NARROW: (u16, u16) = (1, 1);

/// The state of a body at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    Absent,
    Dead,
    Tied,
    Out,
    Hurt,
    Strikes,
    Hidden,
    Sees,
    Well,
}

/// The state of a body; of several that apply, the worst.
pub(super) fn mood(world: &World, who: BodyId) -> Mood {
    let (body, tick) = (world.body(who), world.tick());
    let is_hurt = body
        .hurt_tick()
        .is_some_and(|hurt| tick.saturating_sub(hurt) < HIT_TICKS);
    match body.vital() {
        Vital::Outside | Vital::Gone => Mood::Absent,
        Vital::Dead => Mood::Dead,
        Vital::Tied => Mood::Tied,
        Vital::Out(_) => Mood::Out,
        Vital::Up if is_hurt => Mood::Hurt,
        Vital::Up if body.swing().is_some() => Mood::Strikes,
        Vital::Up if body.is_hidden() => Mood::Hidden,
        Vital::Up if body.sees_now() => Mood::Sees,
        Vital::Up => Mood::Well,
    }
}

/// The columns and rows that a map takes with its frame, at the largest scale at which it fits into a window.
pub(super) fn size(grid: &Grid, body: Rect) -> (u16, u16) {
    let scale = scale(grid, body);
    let side = |squares: i32, each: u16| (squares as u16).saturating_mul(each).saturating_add(2);
    (side(grid.width(), scale.0), side(grid.height(), scale.1))
}

fn scale(grid: &Grid, body: Rect) -> (u16, u16) {
    const BESIDE_BIG: u16 = 60;
    const BELOW_BIG: i32 = 10;
    let fits = |(wide, high): (u16, u16), beside: u16, below: i32| {
        let width = grid.width() * i32::from(wide) + 2 + i32::from(beside);
        let height = grid.height() * i32::from(high) + 2 + below;
        i32::from(body.width) >= width && (below == 0 || i32::from(body.height) >= height)
    };
    if fits(BIG, BESIDE_BIG, BELOW_BIG) {
        BIG
    } else if fits(WIDE, TREE_WIDTH, 0) {
        WIDE
    } else {
        NARROW
    }
}

/// The world, the selected body, and what to show about it.
struct Scene<'a> {
    arena: Arena<'a>,
    world: &'a World,
    focus: BodyId,
    scale: (u16, u16),
    way: Vec<Cell>,
}

/// The drawing of a square: one or two rows of text.
struct Tile {
    rows: [String; 2],
    style: Style,
}

impl Tile {
    fn new(sign: &str, style: Style) -> Self {
        Self {
            rows: [sign.to_owned(), String::new()],
            style,
        }
    }

    /// The same character repeated until it fills the square.
    fn filled(with: char, (wide, _): (u16, u16), style: Style) -> Self {
        let row: String = std::iter::repeat_n(with, usize::from(wide)).collect();
        Self {
            rows: [row.clone(), row],
            style,
        }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, arena: Arena<'_>, hits: &mut Hits) {
    let (world, theme) = (arena.world, arena.look.theme);
    let mind = &arena.player.minds()[arena.screen.nth()];
    let focus = mind.who().unwrap_or(BodyId(0));
    let grid = world.ground().grid();
    let fits = |(wide, high): (u16, u16)| {
        let (width, height) = (
            grid.width() * i32::from(wide),
            grid.height() * i32::from(high),
        );
        width + 2 <= i32::from(area.width) && height + 2 <= i32::from(area.height)
    };
    let scale = [BIG, WIDE].into_iter().find(|scale| fits(*scale));
    let is_wide_enough = grid.width() * 2 + 2 <= i32::from(area.width);
    let scale = scale.unwrap_or(if is_wide_enough { WIDE } else { NARROW });
    let body = world.body(focus);
    let way = body.way().filter(|_| body.is_up()).collect();
    let scene = Scene {
        arena,
        world,
        focus,
        scale,
        way,
    };
    let legend = scene.legend(usize::from(area.width.saturating_sub(2)));
    let frame_block = block(" arena ", theme).title_bottom(Line::styled(legend, theme.faint()));
    let inside = frame_block.inner(area);
    frame.render_widget(frame_block, area);
    let across = i32::from(inside.width / scale.0);
    let down = i32::from(inside.height / scale.1);
    let middle = body.place().cell();
    let first = Cell {
        x: first_visible(middle.x, across, grid.width()),
        y: first_visible(middle.y, down, grid.height()),
    };
    for y in 0..down.min(grid.height()) {
        for x in 0..across.min(grid.width()) {
            let tile = scene.tile(Cell {
                x: first.x + x,
                y: first.y + y,
            });
            let left = inside.x + x as u16 * scale.0;
            let top = inside.y + y as u16 * scale.1;
            for (row, text) in (0..scale.1).zip(&tile.rows) {
                let wide = usize::from(scale.0);
                let text = format!("{text:<wide$}");
                let buffer = frame.buffer_mut();
                buffer.set_stringn(left, top + row, text, wide, tile.style);
            }
        }
    }
    for (who, body) in world.ids().map(|who| (who, world.body(who))) {
        let place = body.place().cell();
        let (x, y) = (place.x - first.x, place.y - first.y);
        let is_in_view = body.is_there() && (0..across).contains(&x) && (0..down).contains(&y);
        if let Some(mind) = arena.player.mind_of(who).filter(|_| is_in_view) {
            let square = Rect {
                x: inside.x + x as u16 * scale.0,
                y: inside.y + y as u16 * scale.1,
                width: scale.0,
                height: scale.1,
            };
            hits.add_mind(square, mind);
        }
    }
}

/// The first row or column to show of a map that is too large. The selected body is kept in the middle.
fn first_visible(middle: i32, visible: i32, size: i32) -> i32 {
    (middle - visible / 2).clamp(0, (size - visible).max(0))
}

/// The sign of a thing.
fn sign(thing: &Thing) -> char {
    match (thing.kind, thing.door) {
        (Kind::Door, DoorState::Open) => '/',
        (Kind::Door, DoorState::Closed) => '+',
        (Kind::Door, DoorState::Locked(_)) => '‡',
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
    /// The meaning of the signs, as far as there is room.
    fn legend(&self, width: usize) -> String {
        let is_wide = self.scale != NARROW;
        let mut parts: Vec<String> = Vec::new();
        let mut add = |sign: char, what: &str| {
            let part = format!("{sign} {what}");
            if !parts.contains(&part) {
                parts.push(part);
            }
        };
        for body in self.world.bodies() {
            let end = |end: char| end.is_ascii_digit() || end == '-';
            add(body.traits().sign, body.name().trim_end_matches(end));
        }
        if self.world.spot("hut").is_some() {
            add('⌂', "hut");
        }
        for thing in self.world.things() {
            match (thing.kind, thing.door) {
                (Kind::Door, DoorState::Closed) => add('+', "shut door"),
                (Kind::Door, DoorState::Locked(_)) => add('‡', "locked door"),
                (Kind::Door, DoorState::Open) => add('/', "open door"),
                _ => add(sign(thing), &thing.name),
            }
        }
        if is_wide {
            parts.push("◦ its path".to_owned());
            parts.push("· in its view".to_owned());
        }
        let gap = if is_wide { "  " } else { " " };
        let mut legend = String::new();
        for part in parts {
            let more = if legend.is_empty() { "" } else { gap };
            if legend.chars().count() + more.len() + part.chars().count() + 2 > width {
                break;
            }
            legend.push_str(more);
            legend.push_str(&part);
        }
        match is_wide {
            true => format!(" {legend} "),
            false => legend,
        }
    }

    fn tile(&self, cell: Cell) -> Tile {
        let (world, theme) = (self.world, self.arena.look.theme);
        // The selected body hides others, and the living hide the dead.
        let there = world.ids().filter(|who| {
            let body = world.body(*who);
            body.is_there() && body.place().cell() == cell
        });
        let rank = |who: &BodyId| (*who != self.focus, !world.body(*who).is_alive());
        if let Some(who) = there.min_by_key(rank) {
            return self.body(who);
        }
        if world.ground().grid().is_wall(cell) {
            return Tile::filled('█', self.scale, theme.wall());
        }
        let is_seen = world.sees(self.focus, cell);
        let lit = |style: Style| if is_seen { theme.lit(style) } else { style };
        let mut things = world.things().iter();
        if let Some(thing) = things.rfind(|thing| thing.cell == cell) {
            let name: String = thing.name.chars().take(usize::from(self.scale.0)).collect();
            let sign = match self.scale {
                BIG => format!(" {}", sign(thing)),
                _ => sign(thing).to_string(),
            };
            let style = lit(theme.thing(thing.kind));
            return Tile {
                rows: [sign, name],
                style,
            };
        }
        let indent = if self.scale == BIG { " " } else { "" };
        if self.is_in_ripple(cell) {
            return Tile::new(&format!("{indent}°"), lit(theme.noise()));
        }
        if self.way.contains(&cell) {
            return Tile::new(&format!("{indent}◦"), lit(theme.way()));
        }
        let style = if is_seen {
            theme.in_sight()
        } else {
            theme.faint()
        };
        match (self.spot(cell), is_seen) {
            (Some(sign), _) => Tile::new(&format!("{indent}{sign}"), style),
            (None, true) => Tile::filled('·', self.scale, style),
            (None, false) => Tile::new("", Style::default()),
        }
    }

    /// Whether a noise has just reached a square: it spreads by one square per tick, as far as it can be heard.
    fn is_in_ripple(&self, cell: Cell) -> bool {
        let tick = self.world.tick();
        let centre = cell.centre();
        self.arena.player.noises().any(|(at, noise)| {
            let age = tick.saturating_sub(*at).min(NOISE_TICKS) as i32;
            let distance = noise.place.distance_mm(centre);
            distance <= noise.range_mm && (distance + 500) / 1_000 == age + 1
        })
    }

    /// The sign of a named place; the routes of bodies without a mind are not shown.
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

    /// A body: a letter; with more room an arrow or its mood; with still more a face.
    fn body(&self, who: BodyId) -> Tile {
        let (body, mood) = (self.world.body(who), mood(self.world, who));
        let eighth = body.facing().eighth();
        let state = match mood {
            Mood::Dead => '✝',
            Mood::Tied => '⊗',
            Mood::Out => 'z',
            Mood::Hurt => '!',
            Mood::Strikes => '✶',
            Mood::Hidden => '◌',
            Mood::Sees => WIDE_ARROWS[eighth],
            Mood::Well | Mood::Absent => ARROWS[eighth],
        };
        let sign = body.traits().sign;
        let style = self.style(who, body, mood);
        match self.scale {
            BIG => {
                let carries = if body.load() + body.coins() > 0 {
                    '+'
                } else {
                    ' '
                };
                let arrow = ARROWS[eighth];
                Tile {
                    rows: [self.face(who, mood), format!("{sign}{arrow}{carries}")],
                    style,
                }
            }
            WIDE => Tile::new(&format!("{sign}{state}"), style),
            _ if matches!(mood, Mood::Dead | Mood::Tied) => Tile::new(&state.to_string(), style),
            _ => Tile::new(&sign.to_string(), style),
        }
    }

    fn face(&self, who: BodyId, mood: Mood) -> String {
        let eyes = match mood {
            Mood::Dead => "xx",
            Mood::Tied => "==",
            Mood::Out => "--",
            Mood::Hurt => "><",
            Mood::Strikes => "\\/",
            Mood::Hidden => "..",
            Mood::Sees => "oo",
            Mood::Well | Mood::Absent => "••",
        };
        match who == self.focus {
            true => format!("[{eyes}]"),
            false => format!("({eyes})"),
        }
    }

    fn style(&self, who: BodyId, body: &Body, mood: Mood) -> Style {
        let theme = self.arena.look.theme;
        let focus = self.world.body(self.focus);
        if mood == Mood::Hurt {
            theme.hit()
        } else if who == self.focus {
            theme.chosen()
        } else if body.is_steered() {
            theme.hero()
        } else if body.is_enemy_of(focus) {
            let is_seen = focus.sees_now() && focus.seen().is_some_and(|seen| seen.who == who);
            theme.enemy(is_seen)
        } else {
            theme.strong()
        }
    }
}
