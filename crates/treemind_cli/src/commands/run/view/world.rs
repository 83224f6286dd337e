//! The arena from above.

use super::{Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Arena, Cell, Doing, Facing, Who};

const ARROWS: [char; 8] = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'];

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    screen: &Screen<'_>,
    arena: &Arena,
    columns: u16,
) {
    let legend = if columns == 2 {
        " G guard  I intruder  ⌂ hut  ·· in its sight "
    } else {
        "G guard I intruder ⌂ hut"
    };
    let frame_block = block(" arena ".to_owned(), screen.theme)
        .title_bottom(Line::styled(legend, screen.theme.faint()));
    let inside = frame_block.inner(area);
    frame.render_widget(frame_block, area);
    let across = i32::from(inside.width / columns);
    let down = i32::from(inside.height);
    let guard = arena.guard().place().cell();
    let first_x = first_visible(guard.x, across, arena.map().width());
    let first_y = first_visible(guard.y, down, arena.map().height());
    let rows = (first_y..(first_y + down).min(arena.map().height())).map(|y| {
        let last_x = (first_x + across).min(arena.map().width());
        let spans = (first_x..last_x).map(|x| square(screen, arena, Cell { x, y }, columns == 2));
        Line::from(spans.collect::<Vec<_>>())
    });
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()), inside);
}

/// The first row or column to show of a map that is too large: the guard is kept in the middle.
fn first_visible(guard: i32, visible: i32, size: i32) -> i32 {
    (guard - visible / 2).clamp(0, (size - visible).max(0))
}

fn square(screen: &Screen<'_>, arena: &Arena, cell: Cell, is_wide: bool) -> Span<'static> {
    let (map, theme) = (arena.map(), screen.theme);
    let (guard, intruder) = (arena.guard(), arena.intruder());
    if guard.place().cell() == cell {
        let is_hit = screen.player.was_hit(Who::Guard);
        let style = if is_hit { theme.hit() } else { theme.guard() };
        return body('G', guard.is_alive(), guard.facing(), is_wide, style);
    }
    if intruder.is_there() && intruder.place().cell() == cell {
        let is_hit = screen.player.was_hit(Who::Intruder);
        let style = if is_hit {
            theme.hit()
        } else {
            theme.intruder(guard.sees_now())
        };
        return body(
            'I',
            intruder.doing() != Doing::Dead,
            intruder.facing(),
            is_wide,
            style,
        );
    }
    if map.is_wall(cell) {
        return Span::styled(if is_wide { "██" } else { "█" }, theme.wall());
    }
    let is_seen = arena.guard_sees(cell);
    let sign = if map.hut() == cell {
        Some('⌂')
    } else {
        let stop = map.round().iter().position(|&stop| stop == cell);
        stop.and_then(|stop| char::from_digit(stop as u32 + 1, 10))
    };
    let style = if is_seen {
        theme.in_sight()
    } else {
        theme.faint()
    };
    match (sign, is_seen, is_wide) {
        (Some(sign), _, true) => Span::styled(format!("{sign} "), style),
        (Some(sign), _, false) => Span::styled(sign.to_string(), style),
        (None, true, true) => Span::styled("··", style),
        (None, true, false) => Span::styled("·", style),
        (None, false, true) => Span::raw("  "),
        (None, false, false) => Span::raw(" "),
    }
}

/// Somebody: a letter and an arrow, or in a narrow view the letter alone.
fn body(
    letter: char,
    is_alive: bool,
    facing: Facing,
    is_wide: bool,
    style: Style,
) -> Span<'static> {
    let arrow = if is_alive {
        ARROWS[facing.eighth()]
    } else {
        '✝'
    };
    let text = match (is_wide, is_alive) {
        (true, _) => format!("{letter}{arrow}"),
        (false, true) => letter.to_string(),
        (false, false) => arrow.to_string(),
    };
    Span::styled(text, style)
}
