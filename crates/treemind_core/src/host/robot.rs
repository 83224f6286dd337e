//! Nodes of Nav2 that look at the robot, or at what somebody asked of it: how far it has come, how fast it is, how long
//! its path is, whether it is to pause, which goal is newer.

use super::nav2::{arg, arg_double, param, passed};
use super::{Call, Move, Told};
use crate::status::Status;
use crate::value::Value;

/// What a robot knows of itself, and what somebody asked of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Robot {
    pub(super) position: [f64; 3],
    pub(super) speed: f64,
    pub(super) asked: Asked,
    /// The goal, and the goals, that came from outside; and how many came so far.
    updates: [(u64, Option<Value>); 2],
}

impl Robot {
    pub(super) fn update(&mut self, which: usize, goal: Value) {
        let (count, newest) = &mut self.updates[which];
        *count += 1;
        *newest = Some(goal);
    }
}

/// Whether a robot is to pause, or to go on: the numbers of the last requests, counted from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pause: u64,
    resume: u64,
}

impl Asked {
    pub(super) fn pause(&mut self) {
        self.pause = self.count() + 1;
    }

    pub(super) fn resume(&mut self) {
        self.resume = self.count() + 1;
    }

    /// How many requests there were.
    pub(super) fn count(self) -> u64 {
        self.pause.max(self.resume)
    }
}

/// Where a `PauseResumeController` is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pausing {
    state: State,
    /// The number of the last request that it knows.
    known: u64,
}

/// The states of a `PauseResumeController`, in the order of their children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Resumed,
    Paused,
    OnPause,
    OnResume,
}

impl Pausing {
    /// At its start, after so many requests: it does not hear the earlier ones.
    pub(super) fn since(known: u64) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    pub(super) fn decide(
        &mut self,
        asked: Asked,
        children: usize,
        (told, runs_child): (Told, &mut bool),
    ) -> Move {
        match told {
            Told::Tick => {
                let before = self.state;
                if self.hears(asked) && std::mem::take(runs_child) {
                    return Move::Halt(before as usize);
                }
                self.tick(children)
            }
            Told::Halted { .. } => self.tick(children),
            Told::Answered { status, .. } => match status {
                Status::Success | Status::Skipped if self.state == State::Resumed => {
                    Move::Answer(Status::Success)
                }
                Status::Success | Status::Skipped => {
                    self.go_on();
                    Move::Answer(Status::Running)
                }
                Status::Running | Status::Failure => Move::Answer(status),
            },
        }
    }

    /// Ticks the child of the state; without one, the next state comes in the next tick.
    fn tick(&mut self, children: usize) -> Move {
        let child = self.state as usize;
        if child < children {
            return Move::Tick(child);
        }
        self.go_on();
        Move::Answer(Status::Running)
    }

    fn go_on(&mut self) {
        self.state = match self.state {
            State::OnPause => State::Paused,
            State::OnResume => State::Resumed,
            lasts => lasts,
        };
    }

    /// Takes the new requests: to pause at any time but while it has paused, to go on only then.
    fn hears(&mut self, asked: Asked) -> bool {
        let known = std::mem::replace(&mut self.known, asked.count());
        let is_new = |number: u64| number > known;
        let has_paused = self.state == State::Paused;
        let is_to_pause = match has_paused {
            // Somebody asked it to go on, and then to pause again.
            true => is_new(asked.resume) && asked.pause > asked.resume,
            false => is_new(asked.pause),
        };
        if is_to_pause {
            self.state = State::OnPause;
        } else if has_paused && is_new(asked.resume) {
            self.state = State::OnResume;
        } else {
            return false;
        }
        true
    }
}

/// What such a node remembers of a robot.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    has_begun: bool,
    /// Where the robot was when the child succeeded last, or the node began.
    start: [f64; 3],
    since_ns: u64,
    period: f64,
    goals: Vec<Option<Value>>,
    /// How long the path was.
    path: Option<f64>,
    /// Of the goal, and of the goals, that came from outside: the number of the last one, and what the node was given
    /// itself when it saw that one.
    updates: [(u64, Option<Value>); 2],
}

impl Seen {
    /// `DistanceController`: the child is ticked at first, while it runs, and when the robot has come so far.
    pub(super) fn distance(
        &mut self,
        (call, agent): (&Call<'_>, usize),
        robot: Robot,
        (told, runs_child): (Told, bool),
    ) -> Move {
        if let Told::Answered {
            status: Status::Success,
            ..
        } = told
        {
            self.start = robot.position;
        }
        if told != Told::Tick {
            return passed(told);
        }
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if is_first {
            self.start = robot.position;
        }
        let way = robot.position.iter().zip(self.start);
        let way: f64 = way.map(|(now, then)| (now - then) * (now - then)).sum();
        let is_due = way.sqrt() >= arg_double(call, "distance", agent, 1.0);
        match is_first || runs_child || is_due {
            true => Move::Tick(0),
            false => Move::Answer(Status::Running),
        }
    }

    /// `SpeedController`: the child is ticked at first, while it runs, when a goal has changed, and as often as the
    /// speed of the robot says.
    pub(super) fn speed(
        &mut self,
        (call, agent): (&Call<'_>, usize),
        robot: Robot,
        (told, runs_child): (Told, bool),
    ) -> Move {
        if told != Told::Tick {
            return passed(told);
        }
        let port = |name: &str, default: f64| arg_double(call, name, agent, default);
        let rates = [port("min_rate", 0.1), port("max_rate", 1.0)];
        let speeds = [port("min_speed", 0.0), port("max_speed", 0.5)];
        let now_ns = call.now_ns();
        let goals = ["goal", "goals"].map(|name| arg(call, name, agent));
        let is_first = !self.has_begun || self.goals != goals;
        if is_first {
            *self = Self {
                has_begun: true,
                since_ns: now_ns,
                period: 1.0 / rates[1],
                goals: goals.to_vec(),
                ..Self::default()
            };
        }
        let elapsed = now_ns.saturating_sub(self.since_ns) as f64 / 1e9;
        let is_due = elapsed >= self.period;
        if !(is_first || runs_child || is_due) {
            return Move::Answer(Status::Running);
        }
        if is_due {
            let part = (robot.speed - speeds[0]) / (speeds[1] - speeds[0]);
            let rate = part * (rates[1] - rates[0]) + rates[0];
            self.period = 1.0 / rate.min(rates[1]).max(rates[0]);
            self.since_ns = now_ns;
        }
        Move::Tick(0)
    }

    /// `PathLongerOnApproach`: the child is ticked when the path has become much longer near the goal. A path that is
    /// a number is its length.
    pub(super) fn path(&mut self, (call, agent): (&Call<'_>, usize), told: Told) -> Move {
        let path = arg(call, "path", agent).and_then(Value::number);
        match told {
            Told::Tick => {}
            Told::Answered { status, .. } => {
                if status.is_end() {
                    self.path = path;
                }
                return Move::Answer(status);
            }
            Told::Halted { .. } => return passed(told),
        }
        let near = arg_double(call, "prox_len", agent, 3.0);
        let factor = arg_double(call, "length_factor", agent, 2.0);
        let is_longer = match (self.path, path) {
            (Some(old), Some(new)) => old < near && new > factor * old,
            _ => false,
        };
        if is_longer {
            return Move::Tick(0);
        }
        self.path = path;
        Move::Answer(Status::Success)
    }

    /// `GoalUpdater`: hands on its goals, or newer ones that came from outside, and then ticks the child.
    pub(super) fn hand_on(
        &mut self,
        (call, agent): (&mut Call<'_>, usize),
        robot: Robot,
        told: Told,
    ) -> Move {
        if told == Told::Tick {
            let ports = [
                ("input_goal", "output_goal"),
                ("input_goals", "output_goals"),
            ];
            for (which, (from, to)) in ports.into_iter().enumerate() {
                let given = param(call, from).and_then(|index| match call.arg_key(index) {
                    Some(key) => call.find(key, agent),
                    None => Some(call.arg(index, agent)),
                });
                let (number, newest) = robot.updates[which];
                let (seen, beside) = &mut self.updates[which];
                if *seen != number {
                    (*seen, *beside) = (number, given);
                }
                // What the tree has been given since then is newer.
                let goal = newest.filter(|_| *beside == given).or(given);
                let to = param(call, to).and_then(|index| call.arg_key(index));
                if let (Some(goal), Some(to)) = (goal, to)
                    && let Err(error) = call.board().set(to, agent, goal)
                {
                    call.fault(agent, error.to_string());
                }
            }
        }
        passed(told)
    }
}
