//! What a view shows of a game at a tick.

use crate::draw::{self, Hits, Screen};
use ratatui::Frame;
use ratatui::layout::Rect;
use std::borrow::Cow;
use treemind_core::{Behaviour, NodeId, Population};
use treemind_explain::{Explanation, Reason};
use treemind_replay::follow::{Follower, Tone};

/// A line of the log.
#[derive(Clone, Copy, Debug)]
pub struct LogLine<'a> {
    /// The tick that it is about.
    pub tick: u64,
    /// What it is about.
    pub tone: Tone,
    /// What happened, with all characters visible.
    pub text: &'a str,
    /// Whether it is about the agent that is shown, where there are several.
    pub is_own: bool,
}

/// A line of a printed log: a tick, its time in seconds, and what happened.
pub fn log_text(tick: u64, secs: f64, text: &str) -> String {
    format!("{tick:>6} {secs:>8.2} s  {text}")
}

/// How far a game has come, in words: its ticks, its time in seconds, and how many faults there were.
pub fn summary(ticks: u64, secs: f64, faults: u64) -> String {
    let faults = match faults {
        0 => "no faults".to_owned(),
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    };
    format!("{ticks} ticks, {secs:.2} s, {faults}")
}

/// Lines of the help: keys or signs, and what they mean.
pub type Help = &'static [(&'static str, &'static str)];

/// What a view shows of a game at a tick.
pub trait Scene {
    /// The number of the tick.
    fn tick(&self) -> u64;

    /// The time of the game at a tick up to now, in seconds.
    fn secs_at(&self, tick: u64) -> f64;

    /// How many agents can be shown.
    fn minds(&self) -> usize;

    /// How many agents there are, if they are too many to show all of them.
    fn agents(&self) -> usize {
        self.minds()
    }

    /// What follows one of those that can be shown; the one that is shown is followed.
    ///
    /// # Panics
    /// When there are fewer.
    fn mind(&self, nth: usize) -> Option<&Follower>;

    /// What it is called.
    ///
    /// # Panics
    /// When there are fewer.
    fn name(&self, nth: usize) -> Cow<'_, str> {
        self.mind(nth).map_or("", Follower::name).into()
    }

    /// The action that it runs.
    ///
    /// # Panics
    /// When there are fewer.
    fn action(&self, nth: usize) -> Option<NodeId> {
        let behaviour = self.population(nth).program().behaviour();
        Some(self.mind(nth)?.marks().running_action(behaviour)?.0)
    }

    /// Its population.
    ///
    /// # Panics
    /// When there are fewer agents.
    fn population(&self, nth: usize) -> &Population;

    /// How many lines the log has for a view of one agent.
    fn log_len(&self, mind: usize) -> usize;

    /// One of these lines, the oldest first.
    ///
    /// # Panics
    /// When there are fewer lines.
    fn log_line(&self, nth: usize, mind: usize) -> LogLine<'_>;

    /// How many faults there were so far.
    fn faults(&self) -> u64;

    /// How many columns and rows the game's own panel takes with its frame, of those that there are for everything;
    /// none if the game has no panel.
    fn panel_size(&self, _room: Rect) -> Option<(u16, u16)> {
        None
    }

    /// Draws the game's own panel.
    fn draw_panel(&self, _frame: &mut Frame<'_>, _area: Rect, _screen: &Screen<'_>, _: &mut Hits) {}

    /// How many rows [`draw_agents`](Self::draw_agents) takes with its frame.
    fn agents_height(&self, screen: &Screen<'_>) -> u16 {
        draw::agents::wanted_height(screen)
    }

    /// Draws the agents, and the keys of the one that is shown.
    fn draw_agents(&self, frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
        draw::agents::draw(frame, area, screen, hits);
    }

    /// A few words on how the user fares, for the header, and whether they matter.
    fn badge(&self) -> Option<(String, bool)> {
        None
    }

    /// The keys that steer something in the game, in words and in short. They begin the line of the keys, and the space
    /// key no longer pauses.
    fn steers(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The game's own keys and signs, for the help.
    fn help(&self) -> (Help, Help) {
        (&[], &[])
    }
}

impl<'a> dyn Scene + 'a {
    /// What an agent runs.
    ///
    /// # Panics
    /// When there are fewer agents.
    pub fn behaviour(&self, nth: usize) -> &Behaviour {
        self.population(nth).program().behaviour()
    }

    /// What an agent is doing: the label of its running action, if there is one.
    ///
    /// # Panics
    /// When there are fewer agents.
    pub fn doing(&self, nth: usize) -> Option<&str> {
        Some(self.behaviour(nth).label(self.action(nth)?))
    }

    /// Why an agent did in the last tick what it did.
    ///
    /// # Panics
    /// When there are fewer agents.
    pub fn explanation(&self, nth: usize) -> Option<Explanation> {
        self.mind(nth)?.explanation(self.population(nth))
    }

    /// Why a node of an agent answered what it answered in the last tick, or was not reached.
    ///
    /// # Panics
    /// When there are fewer agents.
    pub fn why(&self, nth: usize, node: NodeId) -> Option<Reason> {
        self.mind(nth)?.why(self.population(nth), node)
    }
}
