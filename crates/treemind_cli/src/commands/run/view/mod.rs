//! The arena in the live view: the world, and the bodies below it.

mod svg;
mod theme;
mod who;
mod world;

#[cfg(test)]
pub(super) mod tests;

pub(super) use svg::{MOST, moving, svg};
pub(super) use theme::ArenaTheme;

use super::player::Player;
use ratatui::Frame;
use ratatui::layout::Rect;
use treemind_arena::{Vital, World};
use treemind_core::Population;
use treemind_replay::follow::Follower;
use treemind_view::{Help, Hits, LogLine, Look, Scene, Screen};

/// The keys that steer a hero.
const STEERS: (&str, &str) = (
    "arrows walk  space strike  x stand  c sneak  n whistle ",
    "↑↓←→ space x c n ",
);

const KEYS: Help = &[
    ("F5 F9", "save the game; load it again"),
    (
        "W A S D",
        "the hero: walk until a wall; also the arrows; x stands",
    ),
    ("space c n p", "the hero: strike, sneak, whistle; pause"),
];

const SIGNS: Help = &[
    ("G→ G⇒", "looks in that direction; sees an enemy"),
    ("G! G✶", "is hurt; strikes"),
    ("Gz G⊗ G✝ G◌", "knocked out, tied up, dead, hidden"),
    ("◦ ° · ⌂", "its path, a noise, its field of view, the hut"),
    ("+ ‡ /", "a door: shut, locked, open"),
];

/// The arena, and how it is shown.
#[derive(Clone, Copy)]
struct Arena<'a> {
    player: &'a Player,
    world: &'a World,
    screen: &'a Screen<'a>,
    look: &'a Look,
}

impl Player {
    fn arena_on<'a>(&'a self, screen: &'a Screen<'a>) -> Option<Arena<'a>> {
        Some(Arena {
            player: self,
            world: self.world()?,
            screen,
            look: screen.look,
        })
    }
}

impl Scene for Player {
    fn tick(&self) -> u64 {
        self.tick()
    }

    fn secs_at(&self, tick: u64) -> f64 {
        self.secs_at(tick)
    }

    fn minds(&self) -> usize {
        self.minds().len()
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        Some(&self.minds()[nth])
    }

    fn population(&self, nth: usize) -> &Population {
        self.population(nth)
    }

    fn log_len(&self, _: usize) -> usize {
        self.log().len()
    }

    fn log_line(&self, nth: usize, mind: usize) -> LogLine<'_> {
        let line = self.log_line(nth);
        let minds = self.minds();
        let chosen = minds[mind].who().filter(|_| minds.len() > 1);
        LogLine {
            tick: line.tick,
            tone: line.tone,
            text: &line.text,
            is_own: line.who.is_some() && line.who == chosen,
        }
    }

    fn faults(&self) -> u64 {
        self.faults()
    }

    fn panel_size(&self, room: Rect) -> Option<(u16, u16)> {
        Some(world::size(self.world()?.ground().grid(), room))
    }

    fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
        if let Some(arena) = self.arena_on(screen) {
            world::draw(frame, area, arena, hits);
        }
    }

    fn agents_height(&self, screen: &Screen<'_>) -> u16 {
        who::wanted_height(self, screen)
    }

    fn draw_agents(&self, frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
        match self.arena_on(screen) {
            Some(arena) => who::draw(frame, area, arena, hits),
            None => treemind_view::draw::agents::draw(frame, area, screen, hits),
        }
    }

    fn badge(&self) -> Option<(String, bool)> {
        let world = self.world()?;
        let body = world.body(world.hero()?);
        let (coins, left) = (body.coins() as usize, world.coins_left());
        Some(match body.vital() {
            Vital::Dead => (" YOU ARE DEAD, the next round is near ".to_owned(), true),
            Vital::Gone => (format!(" YOU GOT AWAY with {coins} coins "), true),
            _ if left == 0 => (" all coins: to the gate! ".to_owned(), false),
            _ => (format!(" coins {coins}/{} ", coins + left), false),
        })
    }

    fn steers(&self) -> Option<(&'static str, &'static str)> {
        let hero = self.hero()?;
        let (words, signs) = STEERS;
        let world = self.world()?;
        // What the keys mean to a mind is up to its document.
        let has_mind = world.body(hero).traits().mind.is_some();
        Some((if has_mind { signs } else { words }, signs))
    }

    fn help(&self) -> (Help, Help) {
        (KEYS, SIGNS)
    }
}
