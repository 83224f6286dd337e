//! The machine of the case, once written by hand and once with another library, measured in the same run.

use super::Args;
use super::columns::BATCH;
use super::facts::{DEAD, Facts, LOW, SEE};
use super::report::{Measured, median, thread_time};
use crate::io::Failure;

/// What the same machine costs elsewhere.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    /// Of a library.
    pub(super) version: Option<&'static str>,
    pub(super) ns_per_agent_tick: f64,
    pub(super) bytes_per_agent: usize,
}

/// One agent's machine.
trait Fighter {
    fn new() -> Self;
    /// A tick. Answers the state that it is in then: 0 idle, 1 walk, 2 attack.
    fn tick(&mut self, facts: u8) -> usize;
}

/// Measures the peers, with the facts and the number of ticks of what was measured before.
///
/// # Errors
/// When one of them spends other times in its states: then it is another machine.
pub(super) fn measure(args: &Args, ours: &Measured) -> Result<Vec<Peer>, Failure> {
    #[allow(unused_mut, reason = "there may be no libraries to compare with")]
    let mut peers = vec![measure_one::<ByHand>(args, ours, "match by hand", None)?];
    #[cfg(feature = "peers")]
    peers.push(measure_one::<with_statig::Machine>(
        args,
        ours,
        "statig",
        Some(with_statig::VERSION),
    )?);
    Ok(peers)
}

fn measure_one<F: Fighter>(
    args: &Args,
    ours: &Measured,
    name: &'static str,
    version: Option<&'static str>,
) -> Result<Peer, Failure> {
    let agents = args.agents as usize;
    let mut facts = Facts::new(agents);
    let mut fighters: Vec<F> = (0..agents).map(|_| F::new()).collect();
    let mut histogram = [0; 3];
    let mut batches = Vec::new();
    let mut ticks = 0;
    let per_batch = if agents == 1 {
        BATCH as u64 / 20
    } else {
        (BATCH / agents).max(1) as u64
    };
    let mut drawn = vec![0; agents * if agents == 1 { 1 } else { per_batch as usize }];
    while ticks < ours.ticks {
        let now = per_batch.min(ours.ticks - ticks);
        let single = agents == 1 && !args.steady;
        if !single && (ticks == 0 || !args.steady) {
            for of_tick in drawn.chunks_mut(agents).take(now as usize) {
                for (agent, bits) in of_tick.iter_mut().enumerate() {
                    *bits = facts.draw(agent);
                }
            }
            if args.steady {
                let (first, rest) = drawn.split_at_mut(agents);
                rest.chunks_mut(agents)
                    .for_each(|of_tick| of_tick.copy_from_slice(first));
            }
        }
        let begin = thread_time();
        if let [fighter] = fighters.as_mut_slice() {
            for _ in 0..now {
                if single {
                    drawn[0] = facts.draw(0);
                }
                histogram[fighter.tick(std::hint::black_box(drawn[0]))] += 1;
            }
        } else {
            for of_tick in drawn.chunks(agents).take(now as usize) {
                for (fighter, bits) in fighters.iter_mut().zip(of_tick) {
                    histogram[fighter.tick(*bits)] += 1;
                }
            }
        }
        let spent = thread_time() - begin;
        batches.push(spent.as_nanos() as f64 / (now as f64 * agents as f64));
        ticks += now;
    }
    if ours.histogram.is_some_and(|ours| ours != histogram) {
        return Err(Failure::Failed(format!(
            "the machine of {name} is another one: it was {histogram:?} ticks in its states, not {:?}",
            ours.histogram.unwrap_or_default()
        )));
    }
    Ok(Peer {
        name,
        version,
        ns_per_agent_tick: median(&batches),
        bytes_per_agent: size_of::<F>(),
    })
}

/// Whether the alarm of the machine goes off.
#[inline]
fn is_alarmed(facts: u8) -> bool {
    facts & SEE != 0 && facts & LOW == 0
}

/// As one would write it without any library.
#[derive(Clone, Copy)]
enum ByHand {
    /// As in a document the first tick enters the machine, and no more.
    Before,
    Idle,
    Walk,
    Attack,
}

impl Fighter for ByHand {
    fn new() -> Self {
        ByHand::Before
    }

    #[inline]
    fn tick(&mut self, facts: u8) -> usize {
        *self = match *self {
            ByHand::Before => ByHand::Idle,
            ByHand::Idle | ByHand::Walk if is_alarmed(facts) => ByHand::Attack,
            ByHand::Idle | ByHand::Attack if facts & DEAD != 0 => ByHand::Walk,
            ByHand::Walk | ByHand::Attack if facts & LOW != 0 => ByHand::Idle,
            stays => stays,
        };
        match self {
            ByHand::Before | ByHand::Idle => 0,
            ByHand::Walk => 1,
            ByHand::Attack => 2,
        }
    }
}

#[cfg(feature = "peers")]
mod with_statig {
    //! With the library `statig`, which asks the innermost state first: the alarm stands in each state.

    use super::{DEAD, Fighter, LOW, is_alarmed};
    use statig::Outcome::{self, Handled, Transition};
    use statig::blocking::{IntoStateMachine, IntoStateMachineExt as _, State, StateMachine};

    /// The one that `Cargo.toml` asks for.
    pub(super) const VERSION: &str = "0.4.1";

    pub(super) struct Shared;

    #[derive(Debug)]
    pub(super) enum Fights {
        Idle,
        Walk,
        Attack,
    }

    impl IntoStateMachine for Shared {
        type Event<'event> = u8;
        type Context<'context> = ();
        type State = Fights;
        type Superstate<'above> = ();

        fn initial() -> Fights {
            Fights::Idle
        }
    }

    impl State<Shared> for Fights {
        fn call_handler(&mut self, _: &mut Shared, facts: &u8, (): &mut ()) -> Outcome<Self> {
            let is = |fact| facts & fact != 0;
            match self {
                Fights::Idle | Fights::Walk if is_alarmed(*facts) => Transition(Fights::Attack),
                Fights::Idle | Fights::Attack if is(DEAD) => Transition(Fights::Walk),
                Fights::Walk | Fights::Attack if is(LOW) => Transition(Fights::Idle),
                _ => Handled,
            }
        }
    }

    pub(super) struct Machine {
        machine: StateMachine<Shared>,
        entered: bool,
    }

    impl Fighter for Machine {
        fn new() -> Self {
            Machine {
                machine: Shared.state_machine(),
                entered: false,
            }
        }

        #[inline]
        fn tick(&mut self, facts: u8) -> usize {
            if self.entered {
                self.machine.handle(&facts);
            } else {
                self.machine.init();
                self.entered = true;
            }
            match self.machine.state() {
                Fights::Idle => 0,
                Fights::Walk => 1,
                Fights::Attack => 2,
            }
        }
    }

    #[test]
    fn the_version_that_is_told_is_the_one_that_is_built_with() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("the workspace has a manifest");
        let exact = format!("statig = {{ version = \"={VERSION}\"");
        assert!(manifest.contains(&exact));
    }
}
