//! A crowd from above: how many people are where, and how many do what.

use super::super::course::Plays as _;
use super::super::view::ArenaTheme as _;
use super::app::CrowdApp;
use super::clock;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Cell, Crowd, Deed};
use treemind_view::draw::{block, draw_lines};

/// A square with at least this many times the mean density has this sign and colour.
const SHADES: [(f64, char, Color); 7] = [
    (0.0, '·', Color::Blue),
    (0.3, ':', Color::Cyan),
    (1.0, 'o', Color::Green),
    (3.0, 'O', Color::LightGreen),
    (8.0, '@', Color::Yellow),
    (20.0, '#', Color::LightRed),
    (50.0, '█', Color::White),
];
/// The width of the panel beside the map, and the height from which on there is a log.
const PANEL_WIDTH: u16 = 30;
const LOG_HEIGHT: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, app: &CrowdApp) {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
    ]);
    let [head, body, foot] = rows.areas(frame.area());
    frame.render_widget(header(app), head);
    let keys = "space pause   . , one tick forward, back   + - speed   F5 save   F9 load   ? help   q quit";
    let last = match &app.notice {
        Some(notice) => Line::styled(format!(" {notice}"), app.theme.strong()),
        None => Line::styled(format!(" {keys}"), app.theme.faint()),
    };
    frame.render_widget(last, foot);
    let is_wide = body.width > 2 * PANEL_WIDTH;
    let panel = if is_wide { PANEL_WIDTH } else { 0 };
    let [map, beside] =
        Layout::horizontal([Constraint::Min(0), Constraint::Length(panel)]).areas(body);
    draw_map(frame, map, app);
    if is_wide {
        draw_beside(frame, beside, app);
    }
    if app.shows_help {
        let title = " keys and signs; any key closes this ";
        draw_lines(frame, body, (title, HELP), app.theme);
    }
}

/// The panels beside the map.
fn draw_beside(frame: &mut Frame<'_>, beside: Rect, app: &CrowdApp) {
    let log = if beside.height > 24 { LOG_HEIGHT } else { 0 };
    let [deeds, log] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(log)]).areas(beside);
    draw_deeds(frame, deeds, app);
    let lines = app
        .crowd()
        .log()
        .rev()
        .take(usize::from(LOG_HEIGHT) - 2)
        .rev();
    let lines = lines.map(|(tick, text)| Line::raw(format!(" {tick:>6}  {text}")));
    let lines: Vec<Line<'_>> = lines.collect();
    frame.render_widget(Paragraph::new(lines).block(block(" log ", app.theme)), log);
}

const HELP: &[(&str, &str)] = &[
    ("space", "pause, continue"),
    (". ,", "one tick forward, back; also → and ←"),
    ("+ -", "faster, slower"),
    ("F5 F9", "save the crowd; load it again"),
    ("q Ctrl-C", "quit; Esc too"),
    ("", ""),
    (
        "· : o O @",
        "more and more people on a square; the panel says",
    ),
    ("", "how many times the mean"),
    ("█ !", "a wall, or very many people; a danger"),
    ("letters", "places; their names are below the map"),
    ("", ""),
    ("", "It goes back to its first tick. For the trees and the"),
    ("", "reasons of single people, add `--studio`."),
];

fn header(app: &CrowdApp) -> Line<'static> {
    let timed = app.crowd();
    let people = timed.crowd().people();
    let mut spans = vec![
        Span::styled(format!(" {} ", app.name), app.theme.title()),
        Span::styled(format!("  {}", clock(timed.crowd())), app.theme.strong()),
        Span::raw(format!(
            "  tick {}  speed {}x  {people} people",
            timed.tick(),
            app.speed
        )),
    ];
    if timed.millis() > 0.0 {
        spans.push(Span::raw(format!("  {:.1} ms per tick", timed.millis())));
    }
    if app.is_paused {
        spans.push(Span::raw("  "));
        spans.push(Span::styled(" PAUSED ", app.theme.alert()));
    }
    if !timed.crowd().dangers().is_empty() {
        spans.push(Span::raw("  "));
        spans.push(Span::styled(" DANGER ", app.theme.alert()));
    }
    Line::from(spans)
}

/// The map, as large as it fits; a character stands for one square or more.
fn draw_map(frame: &mut Frame<'_>, area: Rect, app: &CrowdApp) {
    let crowd = app.crowd().crowd();
    let grid = crowd.grid();
    let frame_block =
        block(" how many people are where ", app.theme).title_bottom(legend(crowd, app));
    let inside = frame_block.inner(area);
    frame.render_widget(frame_block, area);
    let (width, height) = (grid.width(), grid.height());
    let room = (i32::from(inside.width), i32::from(inside.height));
    // Both sides shrink alike.
    let (wide, high) = if width <= room.0 && height <= room.1 {
        (width, height)
    } else if width * room.1 > height * room.0 {
        (room.0, height * room.0 / width)
    } else {
        (width * room.1 / height, room.1)
    };
    let density = crowd.density();
    let mean = crowd.people() as f64 / density.len() as f64;
    for y in 0..high {
        for x in 0..wide {
            let rows = y * height / high..(y + 1) * height / high;
            let columns = x * width / wide..(x + 1) * width / wide;
            let cells = rows.flat_map(|y| columns.clone().map(move |x| Cell { x, y }));
            let (sign, style) = tile(app, &density, mean, cells);
            let place = (inside.x + x as u16, inside.y + y as u16);
            frame
                .buffer_mut()
                .set_string(place.0, place.1, sign.to_string(), style);
        }
    }
}

/// What stands for some squares; `mean` is how many people are in one.
fn tile(
    app: &CrowdApp,
    density: &[u32],
    mean: f64,
    cells: impl Iterator<Item = Cell> + Clone,
) -> (char, Style) {
    let crowd = app.crowd().crowd();
    let grid = crowd.grid();
    let count = |cell: Cell| density[(cell.y * grid.width() + cell.x) as usize];
    let people: u32 = cells.clone().map(count).sum();
    let squares = cells.clone().count();
    if people > 0 {
        let ratio = f64::from(people) / (mean * squares as f64);
        let shade = SHADES.iter().rev().find(|(from, ..)| ratio >= *from);
        let (_, sign, colour) = *shade.unwrap_or(&SHADES[0]);
        return (sign, app.theme.shade(colour));
    }
    let first = cells.clone().next().unwrap_or_default();
    if cells.clone().filter(|cell| grid.is_wall(*cell)).count() * 2 >= squares {
        return ('█', app.theme.wall());
    }
    let mut dangers = crowd.dangers().iter();
    if dangers.any(|danger| danger.place.distance_mm(first.centre()) <= danger.range_mm) {
        return ('!', app.theme.shade(Color::LightRed));
    }
    let spots = &crowd.scenario().spots;
    let spot = spots
        .iter()
        .find(|spot| cells.clone().any(|cell| cell == spot.cell));
    spot.map_or((' ', Style::default()), |spot| {
        (spot.sign, app.theme.faint())
    })
}

/// What the signs of places mean.
fn legend(crowd: &Crowd, app: &CrowdApp) -> Line<'static> {
    let mut parts: Vec<String> = Vec::new();
    for spot in &crowd.scenario().spots {
        let part = format!("{} {}", spot.sign, spot.name);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    Line::styled(format!(" {} ", parts.join("  ")), app.theme.faint())
}

/// How many people do what, as bars; below, what the shades mean.
fn draw_deeds(frame: &mut Frame<'_>, area: Rect, app: &CrowdApp) {
    const BAR: usize = 11;
    let crowd = app.crowd().crowd();
    let people = crowd.people().max(1);
    let mut lines = Vec::new();
    for (deed, count) in Deed::ALL.iter().zip(crowd.deeds()) {
        let full = (count * BAR).div_ceil(people);
        let style = match deed {
            Deed::Run | Deed::Hide => app.theme.shade(Color::LightRed),
            Deed::Sleep => app.theme.shade(Color::Blue),
            _ => app.theme.shade(Color::Green),
        };
        lines.push(Line::from(vec![
            Span::raw(format!(" {:<6}", deed.word())),
            Span::styled("█".repeat(full), style),
            Span::styled("░".repeat(BAR - full), app.theme.faint()),
            Span::raw(format!(" {count:>7}")),
        ]));
    }
    lines.push(Line::default());
    lines.push(Line::raw(format!(" {:>6} messages", crowd.messages())));
    lines.push(Line::default());
    lines.push(Line::styled(" people, times the mean:", app.theme.faint()));
    for (from, sign, colour) in SHADES {
        lines.push(Line::from(vec![
            Span::styled(format!("   {sign}"), app.theme.shade(colour)),
            Span::styled(format!("  {from} and more"), app.theme.faint()),
        ]));
    }
    frame.render_widget(
        Paragraph::new(lines).block(block(" how many do what ", app.theme)),
        area,
    );
}
