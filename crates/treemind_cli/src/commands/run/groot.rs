//! Monitors of BehaviorTree.CPP that look at a run.

use super::player::Player;
use crate::io::{self, Failure};
use treemind_groot::Groot;

/// Where monitors look at a run.
#[derive(Debug)]
pub(super) struct Monitors(Groot);

impl Monitors {
    /// Opens a port of this machine, and says where.
    pub(super) fn open(port: u16) -> Result<Self, Failure> {
        let groot = Groot::open(port).map_err(|error| {
            let reason = io::reason(&error);
            Failure::failed(format!(
                "monitors cannot look at port {port} and the next one: {reason}"
            ))
        })?;
        io::tell(format!(
            "monitors such as Groot2 look at {}",
            groot.address()
        ));
        Ok(Self(groot))
    }

    /// Whether the next tick may be played: not while a monitor stands at a breakpoint.
    pub(super) fn want_tick(&self) -> bool {
        self.0.wants_tick()
    }

    /// Answers in place of nodes, as monitors ask. What plays in the arena, or was recorded, answers for itself.
    pub(super) fn replace_answers(&self, player: &mut Player) {
        if let Some((name, population, host)) = player.by_script() {
            self.0.replace_answers(name, population, host);
        }
    }

    /// Shows the tick that was played.
    pub(super) fn show(&self, player: &Player) {
        player.each_traced(|name, population, agent, trace| {
            self.0.show(name, population, agent, trace);
        });
    }
}
