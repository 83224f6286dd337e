//! The moves of a scenario's own nodes, and the hosts of both sides that make them.

use super::asked::{Asked, Change};
use crate::reference::{Keys, Leaves};
use crate::scripts::Scripts;
use treemind_core::host::{
    Answers, Call, Candidates, Host, Lanes, Move, Moves, Pairs, Scripted, Told,
};
use treemind_core::{Behaviour, KeyId, Kind, LeafId, NodeId, Outcome, Status, Value};

/// One entry of a line in the section `own:`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wish {
    Move(Move),
    /// Give the answer of the child that was ticked last.
    Same,
    /// Start again with the first of these moves.
    Again,
}

/// The moves of one label: a list per visit; the last list is used for all further visits.
#[derive(Clone, Debug)]
struct Line {
    label: String,
    visits: Vec<Vec<Wish>>,
    /// The visit, from 1, and how many of its moves have been made.
    visit: usize,
    told: usize,
    /// The last answer of the child that was ticked last.
    last: Status,
}

impl Line {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn next(&mut self, told: Told) -> Move {
        match told {
            Told::Tick => (self.visit, self.told) = (self.visit + 1, 0),
            Told::Answered { status, .. } => self.last = status,
            Told::Halted { .. } => {}
            _ => treemind_core::unlisted(&told),
        }
        let wishes = &self.visits[self.visit.min(self.visits.len()) - 1];
        if wishes.get(self.told) == Some(&Wish::Again) {
            self.told = 0;
        }
        let wish = wishes.get(self.told);
        self.told += 1;
        match wish {
            Some(Wish::Move(wanted)) => *wanted,
            Some(Wish::Same | Wish::Again) => Move::Answer(self.last),
            None => Move::Answer(Status::Running),
        }
    }
}

/// Decides for the own nodes of one agent.
#[derive(Clone, Debug)]
pub(super) struct Wishes {
    /// Per node, the index of its line.
    of_node: Vec<Option<usize>>,
    lines: Vec<Line>,
}

impl Wishes {
    /// Reads lines such as `pick: tick 0, tick 1, S; halt 0, R`. A node without a line gives the answer of its
    /// first child.
    ///
    /// # Errors
    /// A line that is not valid, or that belongs to no own node.
    pub(super) fn new(behaviour: &Behaviour, lines: &[String]) -> Result<Self, String> {
        let mut read = Vec::new();
        for line in lines {
            let bad = || format!("`{line}` is not a line of `own`");
            let (label, visits) = line.split_once(':').ok_or_else(bad)?;
            let visits = visits.split(';').map(read_wishes);
            let visits: Option<Vec<Vec<Wish>>> = visits.collect();
            read.push(Line::new(label.trim(), visits.ok_or_else(bad)?));
        }
        let of_node = behaviour.node_ids().map(|id| {
            if !matches!(behaviour.node(id).kind, Kind::Own { .. }) {
                return None;
            }
            let label = behaviour.label(id);
            let place = read.iter().position(|line| line.label == label);
            Some(place.unwrap_or_else(|| {
                let first = Move::Tick(0);
                read.push(Line::new(label, vec![vec![Wish::Move(first), Wish::Same]]));
                read.len() - 1
            }))
        });
        let of_node: Vec<Option<usize>> = of_node.collect();
        let is_used = |place: usize| of_node.contains(&Some(place));
        match (0..read.len()).find(|place| !is_used(*place)) {
            Some(place) => Err(format!(
                "no node of its own is named `{}`",
                read[place].label
            )),
            None => Ok(Self {
                of_node,
                lines: read,
            }),
        }
    }

    /// The next move of a node.
    fn next(&mut self, node: NodeId, told: Told) -> Move {
        match self.of_node[node.index()] {
            Some(place) => self.lines[place].next(told),
            None => Move::Answer(Status::Running),
        }
    }
}

impl Line {
    fn new(label: &str, visits: Vec<Vec<Wish>>) -> Self {
        Self {
            label: label.to_owned(),
            visits,
            visit: 0,
            told: 0,
            last: Status::Running,
        }
    }
}

/// The moves of one visit.
fn read_wishes(text: &str) -> Option<Vec<Wish>> {
    text.split(',')
        .map(|wish| {
            let words: Vec<&str> = wish.split_whitespace().collect();
            Some(match words[..] {
                ["S"] => Wish::Move(Move::Answer(Status::Success)),
                ["F"] => Wish::Move(Move::Answer(Status::Failure)),
                ["R"] => Wish::Move(Move::Answer(Status::Running)),
                ["K"] => Wish::Move(Move::Answer(Status::Skipped)),
                ["same"] => Wish::Same,
                ["again"] => Wish::Again,
                ["tick", child] => Wish::Move(Move::Tick(child.parse().ok()?)),
                ["halt", child] => Wish::Move(Move::Halt(child.parse().ok()?)),
                _ => return None,
            })
        })
        .collect()
}

/// The host for the executor: scripted leaves, services that do nothing, own nodes with moves.
#[derive(Clone, Debug)]
pub(super) struct Players {
    pub(super) scripted: Scripted,
    /// Per agent.
    pub(super) wishes: Vec<Wishes>,
    pub(super) asked: Vec<Asked>,
}

impl Players {
    fn ask_for_changes(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let (node, tick) = (call.node(), call.tick());
        for agent in lanes.iter() {
            for one in &self.asked {
                if one.is_meant(node, agent, tick) {
                    match &one.change {
                        Change::Remove => call.remove(agent),
                        Change::Group(group) => call.set_group(agent, *group),
                        Change::Spawn(program) => call.spawn(agent, program, &[]),
                    }
                }
            }
        }
    }
}

impl Host for Players {
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.ask_for_changes(call, lanes);
        self.scripted.ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.scripted.start(call, lanes);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.ask_for_changes(call, lanes);
        self.scripted.update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.scripted.stop(call, lanes, outcome);
    }

    fn serve(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        for agent in lanes {
            let wanted = self.wishes[agent].next(call.node(), moves.told(agent));
            moves.set(agent, wanted);
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.scripted.sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.scripted.candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.scripted.measure(call, pairs);
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.scripted.log(call, lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.scripted.event(call, lanes);
    }
}

/// The same for one agent of the reference.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) scripts: Scripts,
    pub(super) wishes: Wishes,
    pub(super) asked: Vec<Asked>,
    /// The index of the agent, and the current tick.
    pub(super) agent: usize,
    pub(super) tick: u64,
    /// What its leaves have asked for in this tick.
    pub(super) wanted: Vec<Change>,
}

impl Player {
    fn ask_for_changes(&mut self, node: NodeId) {
        let meant = self
            .asked
            .iter()
            .filter(|one| one.is_meant(node, self.agent, self.tick));
        let wanted = meant.map(|one| one.change.clone());
        self.wanted.extend(wanted);
    }
}

impl Leaves for Player {
    fn ask(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.ask_for_changes(node);
        self.scripts.ask(node, args, keys)
    }

    fn start(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    fn update(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.ask_for_changes(node);
        self.scripts.update(node, args, keys)
    }

    fn stop(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>, _: Outcome) {}

    fn serve(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    fn decide(&mut self, node: NodeId, _: &[Value], _: &mut Keys<'_>, told: Told) -> Move {
        self.wishes.next(node, told)
    }

    fn candidates(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Vec<Value> {
        self.scripts.candidates(node, args, keys)
    }

    fn measure(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        pairs: &[(usize, Vec<Value>)],
        keys: &mut Keys<'_>,
    ) -> Vec<f32> {
        self.scripts.measure(node, leaf, pairs, keys)
    }

    fn log(&mut self, node: NodeId, text: String) {
        self.scripts.log(node, text);
    }

    fn event(&mut self, node: NodeId, args: &[Value]) {
        self.scripts.event(node, args);
    }
}
