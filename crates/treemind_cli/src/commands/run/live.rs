//! What the live view plays: a player, back and forth.

use super::camera::Camera;
use super::course::Plays as _;
use super::groot::Monitors;
use super::mind_named;
use super::outputs::Saves;
use super::player::Player;
use super::reel::Reel;
use super::reloading::Reloading;
use crate::io::{self, Failure};
use ratatui::crossterm::event::KeyCode;
use std::time::Duration;
use treemind_arena::{Key, LoadError};
use treemind_view::{Playable, Scene};

/// A player, and what the keys of the live view do with it.
pub(super) struct Live {
    reel: Reel<Player>,
    /// Where the game is saved.
    saves: Saves,
    /// What looks after the document, if it is watched.
    reloading: Option<Reloading>,
    /// The last tick of the recording that is watched: nobody plays on, or saves.
    end: Option<u64>,
    /// Who else looks at it.
    monitors: Option<Monitors>,
}

impl Live {
    /// A player that is at its first tick.
    pub(super) fn new(player: Player) -> Self {
        Self {
            reel: Reel::new(player),
            saves: Err("there is no saved game".to_owned()),
            reloading: None,
            end: None,
            monitors: None,
        }
    }

    /// The same, and these look at it, too.
    pub(super) fn shown_to(mut self, monitors: Option<Monitors>) -> Self {
        self.monitors = monitors;
        self
    }

    /// The same, recorded.
    pub(super) fn recorded_by(mut self, camera: Option<Camera>) -> Self {
        self.reel = self.reel.recorded_by(camera);
        self
    }

    /// The same, for watching a recording, which ends with this tick.
    pub(super) fn watching(mut self, end: u64) -> Self {
        self.end = Some(end);
        self
    }

    /// The same, and two keys save the game to this file and load it.
    pub(super) fn saving_to(mut self, saves: Saves) -> Self {
        self.saves = saves;
        self
    }

    /// The same, and it continues with the document whenever that changes.
    pub(super) fn reloading(mut self, reloading: Option<Reloading>) -> Self {
        self.reloading = reloading;
        self
    }

    pub(super) fn into_parts(self) -> (Player, Option<Camera>) {
        self.reel.into_parts()
    }

    #[cfg(test)]
    pub(super) fn player(&self) -> &Player {
        self.reel.now()
    }

    /// The key of the hero that a key of the terminal stands for, if the map has a hero.
    fn steering_key(&self, code: KeyCode) -> Option<Key> {
        self.reel.now().hero().filter(|_| self.end.is_none())?;
        Some(match code {
            KeyCode::Up | KeyCode::Char('w' | 'W') => Key::Up,
            KeyCode::Down | KeyCode::Char('s' | 'S') => Key::Down,
            KeyCode::Left | KeyCode::Char('a' | 'A') => Key::Left,
            KeyCode::Right | KeyCode::Char('d' | 'D') => Key::Right,
            KeyCode::Char(' ') => Key::Strike,
            KeyCode::Char('x' | 'X') => Key::Stand,
            KeyCode::Char('c' | 'C') => Key::Sneak,
            KeyCode::Char('n' | 'N') => Key::Whistle,
            _ => return None,
        })
    }

    /// Saves the game, and says what became of it.
    fn save(&self) -> String {
        if self.end.is_some() {
            return "a recording is not saved".to_owned();
        }
        let Some(game) = self.reel.now().save() else {
            return "a run by a script is not saved".to_owned();
        };
        let output = match &self.saves {
            Ok(output) => output,
            Err(why) => return why.clone(),
        };
        match output.write(&game) {
            Ok(()) => format!("saved to {}", io::display_name(output.path())),
            Err(failure) => failure.sentence().to_string(),
        }
    }

    /// Continues the game that was saved, and says what became of it.
    fn load(&mut self) -> String {
        let output = match &self.saves {
            Ok(output) => output,
            Err(why) => return why.clone(),
        };
        let mut player = self.reel.now().clone();
        let loaded = output.read().and_then(|game| {
            let failed = |error: LoadError| Failure::failed(error.to_string());
            player.load(&game).map_err(failed)
        });
        match loaded {
            Ok(()) => {
                let told = format!("loaded from {}", io::display_name(output.path()));
                self.reel.replace(player);
                told
            }
            Err(failure) => failure.sentence().to_string(),
        }
    }
}

impl Playable for Live {
    fn scene(&self) -> &dyn Scene {
        self.reel.now()
    }

    fn step(&mut self) -> bool {
        if self.monitors.as_ref().is_some_and(|all| !all.want_tick()) {
            return false;
        }
        self.reel.step();
        if let Some(monitors) = &self.monitors {
            monitors.show(self.reel.now());
        }
        true
    }

    fn seek(&mut self, tick: u64) {
        self.reel.seek(tick);
    }

    fn period(&self) -> Duration {
        self.reel.now().dt()
    }

    fn end(&self) -> Option<u64> {
        self.end
    }

    fn find(&mut self, wanted: &str) -> Option<usize> {
        mind_named(wanted, self.reel.now())
    }

    fn press(&mut self, code: KeyCode) -> bool {
        if let Some(key) = self.steering_key(code) {
            self.reel.press(key);
            return true;
        }
        let told = match code {
            KeyCode::F(5) => self.save(),
            KeyCode::F(9) => self.load(),
            _ => return false,
        };
        self.reel.now_mut().note(told);
        true
    }

    fn rest(&mut self) {
        self.reel.flush();
    }

    fn look_around(&mut self) -> bool {
        let Some(reloading) = &mut self.reloading else {
            return false;
        };
        let told = reloading.look(&mut self.reel);
        let is_told = !told.is_empty();
        let game = self.reel.now_mut();
        told.into_iter()
            .for_each(|line| game.note(line.to_string()));
        is_told
    }
}
