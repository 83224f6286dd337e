//! The bodies and their state, and the blackboard of the selected mind.

use super::super::player::Player;
use super::world::{Mood, mood};
use super::{Arena, ArenaTheme as _};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Body, BodyId, World};
use treemind_view::draw::{block, keys};
use treemind_view::{Hits, Screen, Theme};

/// Below this height a panel has no frame.
const FRAMED_HEIGHT: u16 = 5;
/// From this width on the blackboard is shown beside the bodies.
const BESIDE_WIDTH: u16 = 84;
/// From this width on the names of all bodies are shown.
const NAMED_WIDTH: u16 = 36;

/// How many rows the panel needs.
pub(super) fn wanted_height(player: &Player, screen: &Screen<'_>) -> u16 {
    let bodies = player.world().map_or(0, |world| world.bodies().len());
    u16::try_from(bodies + keys::wanted(screen) + 4).unwrap_or(u16::MAX)
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, arena: Arena<'_>, hits: &mut Hits) {
    if area.width >= BESIDE_WIDTH {
        let half = area.width.div_ceil(2) + 4;
        let columns = Layout::horizontal([Constraint::Length(half), Constraint::Min(0)]);
        let [left, right] = columns.areas(area);
        draw_bodies(frame, left, arena, false, hits);
        return keys::draw(frame, right, arena.screen);
    }
    draw_bodies(frame, area, arena, true, hits);
}

/// All bodies, one line each, and what the selected one is doing; if there is room, with the blackboard below.
fn draw_bodies(
    frame: &mut Frame<'_>,
    area: Rect,
    arena: Arena<'_>,
    has_keys: bool,
    hits: &mut Hits,
) {
    let (player, screen, theme) = (arena.player, arena.screen, arena.look.theme);
    let is_framed = area.height >= FRAMED_HEIGHT;
    let frame_block = block(" hit points ", theme);
    let inside = match is_framed {
        true => frame_block.inner(area),
        false => area,
    };
    let room = usize::from(inside.height);
    let keys_wanted = if has_keys { keys::wanted(screen) } else { 0 };
    let who = shown_bodies(arena, room - keys_wanted.min(room / 2));
    let bars = Bars {
        arena,
        world: arena.world,
        has_names: area.width >= NAMED_WIDTH,
        width: usize::from(inside.width),
    };
    let mut lines = Vec::new();
    for (row, &who) in who.iter().enumerate() {
        lines.push(bars.line(who));
        if let Some(mind) = player.mind_of(who) {
            let place = Rect {
                y: inside.y.saturating_add(row as u16),
                height: 1,
                ..inside
            };
            hits.add_mind(place.intersection(inside), mind);
        }
    }
    let doc = explanation(arena, usize::from(inside.width));
    if is_framed && room > lines.len() + keys_wanted.min(3) + 2 {
        lines.push(doc.unwrap_or_default());
        if has_keys && keys_wanted > 0 {
            lines.push(Line::styled(" blackboard", theme.faint()));
        }
    }
    if has_keys {
        lines.extend(keys::lines(screen, room.saturating_sub(lines.len())));
    }
    frame.render_widget(Paragraph::new(lines), inside);
    if is_framed {
        frame.render_widget(frame_block, area);
    }
}

/// The bodies for which there is room, always including the selected one.
fn shown_bodies(arena: Arena<'_>, room: usize) -> Vec<BodyId> {
    let all: Vec<BodyId> = arena.world.ids().collect();
    let chosen = arena.player.minds()[arena.screen.nth()].who();
    let place = all.iter().position(|who| Some(*who) == chosen).unwrap_or(0);
    let room = room.clamp(1, all.len().max(1));
    let first = (place + 1).saturating_sub(room);
    all.into_iter().skip(first).take(room).collect()
}

/// What the running action is for, from the document's `doc`.
fn explanation(arena: Arena<'_>, width: usize) -> Option<Line<'static>> {
    let doc = arena.player.doing_doc(arena.screen.nth())?;
    let fits = width > doc.chars().count();
    fits.then(|| Line::styled(format!(" {doc}"), arena.look.theme.faint()))
}

/// Bars of hit points, as wide as there is room.
struct Bars<'a> {
    arena: Arena<'a>,
    world: &'a World,
    has_names: bool,
    width: usize,
}

impl Bars<'_> {
    fn line(&self, who: BodyId) -> Line<'static> {
        let (theme, body) = (self.arena.look.theme, self.world.body(who));
        let mind = self.arena.player.mind_of(who);
        let is_chosen = mind == Some(self.arena.screen.nth());
        let style = match is_chosen {
            true => theme.chosen(),
            false => theme.strong(),
        };
        let number = match mind {
            _ if is_chosen => '▸',
            Some(mind @ 0..9) if self.arena.player.minds().len() > 1 => {
                char::from(b'1' + mind as u8)
            }
            _ => ' ',
        };
        let (points, most) = (body.health(), body.traits().health.max(1));
        // The longest of what it may be doing has room, too.
        let beside = if self.has_names { 35 } else { 25 };
        let width = self.width.saturating_sub(beside).clamp(4, 16);
        let full = (points.max(0) as usize * width)
            .div_ceil(most as usize)
            .min(width);
        let name_text = if self.has_names {
            let name: String = body.name().chars().take(9).collect();
            format!(" {name:<9} ")
        } else {
            " ".to_owned()
        };
        let does = self.does(who, body, mind);
        let used = 7 + name_text.chars().count() + width + does.chars().count();
        let mut room = self.width.saturating_sub(used);
        let parts = self.has(who, body).into_iter().take_while(|part| {
            let fits = part.chars().count() <= room;
            room = room.saturating_sub(part.chars().count());
            fits
        });
        let has: String = parts.collect();
        Line::from(vec![
            Span::raw(number.to_string()),
            Span::styled(body.traits().sign.to_string(), style),
            Span::raw(name_text),
            Span::styled("█".repeat(full), health(theme, points, most)),
            Span::styled("░".repeat(width - full), theme.faint()),
            Span::raw(format!(" {points:>3} ")),
            Span::styled(does, theme.strong()),
            Span::styled(has, theme.faint()),
        ])
    }

    /// What a body is doing, as a word.
    fn does(&self, who: BodyId, body: &Body, mind: Option<usize>) -> String {
        let action = mind.and_then(|mind| self.arena.player.doing(mind));
        let text = match (mood(self.world, who), action) {
            (Mood::Absent, _) if body.traits().arrives.is_some() => "not there",
            (Mood::Absent, _) => "gone",
            (Mood::Out, _) => "knocked out",
            (Mood::Tied, _) => "tied up",
            (Mood::Dead, _) => "dead",
            (_, Some(action)) => action,
            (Mood::Strikes, None) => "fights",
            (Mood::Hurt, None) => "is hurt",
            (_, None) if mind.is_some() => "",
            (_, None) if body.is_steered() && body.sneaks() => "you, sneaking",
            (_, None) if body.is_steered() => "you",
            (_, None) => "follows its route",
        };
        text.to_owned()
    }

    /// What a body has and feels, as far as this applies to its kind, the most informative first.
    fn has(&self, who: BodyId, body: &Body) -> Vec<String> {
        let traits = body.traits();
        let mut parts = Vec::new();
        if !body.is_alive() {
            return parts;
        }
        if let (Mood::Sees, Some(seen)) = (mood(self.world, who), body.seen()) {
            parts.push(format!("  sees {}", self.world.body(seen.who).name()));
        }
        if body.load() + body.coins() > 0 {
            parts.push(format!("  carries {}", body.load() + body.coins()));
        }
        if traits.drain_ticks > 0 {
            parts.push(format!("  battery {} %", body.energy_permille() / 10));
        }
        if traits.starve_ticks > 0 {
            parts.push(format!("  hunger {} %", body.hunger_permille() / 10));
        }
        if traits.ammo > 0 {
            parts.push(format!("  {} rounds", body.ammo()));
        }
        parts
    }
}

fn health(theme: Theme, points: i32, most: i32) -> ratatui::style::Style {
    theme.health(points * 1_000 / most)
}
