//! Decorators of Nav2 that look at the robot: how far it has come, how fast it is, how long its path is.

use super::nav2::{arg, arg_double, param, passed};
use super::{Call, Move, Told};
use crate::status::Status;
use crate::value::Value;

/// What a robot knows of itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Robot {
    pub(super) position: [f64; 3],
    pub(super) speed: f64,
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
}

/// `GoalUpdater`: hands on its goals, and then ticks the child.
pub(super) fn hand_on(call: &mut Call<'_>, agent: usize, told: Told) -> Move {
    if told == Told::Tick {
        for (from, to) in [
            ("input_goal", "output_goal"),
            ("input_goals", "output_goals"),
        ] {
            let from = param(call, from).and_then(|index| match call.arg_key(index) {
                Some(key) => call.find(key, agent),
                None => Some(call.arg(index, agent)),
            });
            let to = param(call, to).and_then(|index| call.arg_key(index));
            if let (Some(goal), Some(to)) = (from, to)
                && let Err(error) = call.board().set(to, agent, goal)
            {
                call.fault(agent, error.to_string());
            }
        }
    }
    passed(told)
}
