//! What is recorded of each tick.

use super::DT;
use crate::case::Case;
use std::time::Duration;
use treemind::core::host::Host;
use treemind::population::Population;
use treemind::trace::Trace;
use treemind_recording::Recorder;

/// The length of a recorded tick of a case that reads no clock. How often the file is written to depends on it.
const RECORDED_DT: Duration = Duration::from_millis(50);

/// What is recorded of each tick.
#[derive(Default)]
pub(crate) enum Taken {
    #[default]
    Nothing,
    Trace(Trace),
    /// And the length of a tick.
    Recording(Box<Recorder>, Duration),
}

impl Taken {
    /// A recording into a file without a name, which is gone with its end.
    pub(crate) fn recording(case: Case) -> Self {
        let file = tempfile::tempfile().expect("there is room for temporary files");
        let recorder = Recorder::to(file, &case.document());
        let dt = match case {
            Case::Guard => RECORDED_DT,
            _ => DT,
        };
        Self::Recording(Box::new(recorder.expect("the file can be written")), dt)
    }

    #[inline(always)]
    pub(super) fn tick<H: Host>(&mut self, population: &mut Population, host: &mut H) {
        match self {
            Taken::Nothing => {
                population.tick(host, DT);
            }
            Taken::Trace(trace) => {
                trace.clear();
                population.tick_traced(host, DT, trace);
            }
            Taken::Recording(recorder, dt) => {
                recorder.tick(population, host, *dt);
                assert!(recorder.error().is_none(), "{:?}", recorder.error());
            }
        }
    }
}
