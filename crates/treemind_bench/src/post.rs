//! The cost of events that agents emit to others, and of those that they receive.

use crate::measure::repeated_on;
use crate::ours::DT;
use std::sync::Arc;
use treemind::Document;
use treemind::core::host::Columns;
use treemind::population::{Population, PopulationId, Program, Society};

/// One agent speaks to all in every tick.
const SPEAKER: &str = "leaves { event word { param n type=int; }; }
    tree speaker { emit word n=1 to=world; }";

/// Agents who wait for the event, or for another one.
const LISTENER: &str = "leaves { event word { param n type=int; }; event other; }
    tree listener { sequence { wait-for-event EVENT; run; }; }";

/// Agents who all speak, and listen to what others say.
const TALKER: &str = "leaves { event word { param n type=int; }; }
    blackboard { key heard type=int; }
    tree talker { sequence {
        emit word n=1 to=AUDIENCE
        force-success { received word n=\"{heard}\"; }
    }; }";

/// To whom agents speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Talk {
    /// One agent, to all agents of a program in which nothing waits for the event.
    ToDeaf,
    /// One agent, to all agents of a program in which all wait for it.
    ToListeners,
    /// Everybody to itself.
    ToSelf,
    /// Everybody to the nine others of its group.
    InGroups,
    /// Everybody to everybody: most of it finds no room.
    ToAll,
}

pub(crate) const TALKS: [Talk; 5] = [
    Talk::ToDeaf,
    Talk::ToListeners,
    Talk::ToSelf,
    Talk::InGroups,
    Talk::ToAll,
];

impl Talk {
    /// What agents do, in a few words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Talk::ToDeaf => "deaf to an event of one",
            Talk::ToListeners => "who hear an event of one",
            Talk::ToSelf => "who talk to themselves",
            Talk::InGroups => "who talk in groups of ten",
            Talk::ToAll => "who all talk to all",
        }
    }
}

/// Agents who talk, with those who may hear it.
pub(crate) struct Talkers {
    society: Society,
    speakers: PopulationId,
    host: Columns,
}

impl Talkers {
    pub(crate) fn new(talk: Talk, agents: usize) -> Self {
        let mut society = Society::new();
        let mut join = |text: &str, agents| {
            let document = Document::parse(text, "post");
            let behaviour = document.behaviour(None).expect("it has no errors");
            let host = Columns::new(&behaviour, agents);
            let population = Population::new(Arc::new(Program::new(behaviour)), agents);
            let name = society.ids().count().to_string();
            (society.join(name, population).expect("they agree"), host)
        };
        let (speakers, host) = match talk {
            Talk::ToDeaf | Talk::ToListeners => {
                let event = if talk == Talk::ToDeaf {
                    "other"
                } else {
                    "word"
                };
                join(&LISTENER.replace("EVENT", event), agents);
                join(SPEAKER, 1)
            }
            Talk::ToSelf => join(&TALKER.replace("AUDIENCE", "self"), agents),
            Talk::InGroups => join(&TALKER.replace("AUDIENCE", "group"), agents),
            Talk::ToAll => join(&TALKER.replace("AUDIENCE", "world"), agents),
        };
        if talk == Talk::InGroups {
            let mut population = society.population_mut(speakers);
            for agent in 0..agents {
                population.set_group(agent, (agent / 10) as u32);
            }
        }
        let mut talkers = Self {
            society,
            speakers,
            host,
        };
        // Memory is allocated.
        talkers.talk();
        talkers.talk();
        talkers
    }

    /// One step, in which those who speak are ticked.
    pub(crate) fn talk(&mut self) {
        let mut step = self.society.step(DT);
        step.tick(self.speakers, &mut self.host);
        let delivery = step.end();
        assert!(delivery.posted > 0, "nobody has said anything");
    }
}

/// Nanoseconds of a step in which this many agents may hear something.
pub(crate) fn measure(talk: Talk, agents: usize) -> f64 {
    repeated_on(|| Talkers::new(talk, agents), Talkers::talk) * 1e9
}
