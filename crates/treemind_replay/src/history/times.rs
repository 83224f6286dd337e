//! When ticks were.

/// Ticks of one length.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The last tick before them, and the time after it.
    begin: u64,
    begin_ns: u64,
    dt_ns: u64,
}

/// The times of all ticks that were played so far.
#[derive(Clone, Debug)]
pub struct Times {
    stretches: Vec<Stretch>,
    last: u64,
}

impl Times {
    /// Nothing was played yet after this tick.
    pub fn since(tick: u64, now_ns: u64) -> Self {
        let begin = Stretch {
            begin: tick,
            begin_ns: now_ns,
            dt_ns: 0,
        };
        Self {
            stretches: vec![begin],
            last: tick,
        }
    }

    /// A tick was played, at whose end it was `now_ns`. A tick that is played again has the same time.
    pub fn played(&mut self, tick: u64, now_ns: u64, dt_ns: u64) {
        if tick <= self.last {
            return;
        }
        self.last = tick;
        let before = self.stretches[self.stretches.len() - 1];
        if before.dt_ns != dt_ns || before.at(tick) != now_ns {
            self.stretches.push(Stretch {
                begin: tick - 1,
                begin_ns: now_ns.saturating_sub(dt_ns),
                dt_ns,
            });
        }
    }

    /// The time after a tick that was played, in seconds.
    pub fn secs_at(&self, tick: u64) -> f64 {
        let stretches = &self.stretches;
        let next = stretches.partition_point(|stretch| stretch.begin < tick);
        stretches[next.max(1) - 1].at(tick) as f64 / 1e9
    }
}

impl Stretch {
    fn at(self, tick: u64) -> u64 {
        let ticks = tick.saturating_sub(self.begin);
        self.begin_ns
            .saturating_add(ticks.saturating_mul(self.dt_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_have_the_lengths_that_they_had() {
        let mut times = Times::since(10, 2_000_000_000);
        let ms = 1_000_000;
        for (tick, now, dt) in [(11, 2_100, 100), (12, 2_200, 100), (13, 2_216, 16)] {
            times.played(tick, now * ms, dt * ms);
        }
        // It is played again after going back.
        times.played(11, 2_100 * ms, 100 * ms);
        let secs = [10, 11, 12, 13].map(|tick| times.secs_at(tick));
        assert_eq!(secs, [2.0, 2.1, 2.2, 2.216]);
        assert_eq!(times.secs_at(3), 2.0);
    }
}
