//! The arena for learners: one actor that is steered from Python.

use crate::diagnostics::misuse;
use crate::document::Document;
use crate::sweep::failed;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};
use treemind_arena::Key;
use treemind_arena::steer::{Game, SQUARES, Wanted, facts};

/// A game in which one actor is steered.
#[pyclass(frozen, module = "treemind", name = "ArenaGame")]
pub(crate) struct ArenaGame {
    inner: Mutex<Game>,
}

impl ArenaGame {
    pub(crate) fn game(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Game>> {
        let busy = "another thread is in the middle of a turn of this game";
        self.inner
            .try_lock()
            .map_err(|_| misuse(py, busy.to_owned()))
    }
}

#[pymethods]
impl ArenaGame {
    #[new]
    #[pyo3(signature = (document, map, *, name, steer, observe, reward, until, every, ticks, others = Vec::new()))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are arguments by name in Python"
    )]
    fn new(
        py: Python<'_>,
        document: Py<Document>,
        map: &str,
        name: Option<&str>,
        steer: String,
        observe: Vec<String>,
        reward: Option<String>,
        until: Option<String>,
        every: u32,
        ticks: u64,
        others: Vec<String>,
    ) -> PyResult<Self> {
        if every == 0 || ticks == 0 {
            return Err(PyValueError::new_err("`every` and `ticks` are 1 or more"));
        }
        let usual = Wanted::default();
        let wanted = Wanted {
            steer,
            others,
            observe,
            reward: reward.unwrap_or(usual.reward),
            until,
            every,
            ticks,
        };
        let read = document.get().inner.as_ref().clone();
        let game = Game::new(read, name, map, &wanted).map_err(|error| failed(py, error))?;
        Ok(Self {
            inner: Mutex::new(game),
        })
    }

    /// Begins again.
    fn begin(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        let game = &mut *self.game(py)?;
        let begun = py.detach(|| game.begin(seed));
        begun.map_err(|error| failed(py, error))
    }

    /// Presses a key, or none, and plays a turn: what it was worth, whether the game has ended, and whether it was cut
    /// off.
    fn turn(&self, py: Python<'_>, key: Option<&str>) -> PyResult<(f64, bool, bool)> {
        let key = key.map(|name| {
            let mut keys = Key::ALL.into_iter();
            let known = keys.find(|key| key.name() == name);
            known.ok_or_else(|| PyValueError::new_err(format!("there is no key {name:?}")))
        });
        let key = key.transpose()?;
        let game = &mut *self.game(py)?;
        let turn = py.detach(|| game.turn(key));
        let turn = turn.map_err(|error| failed(py, error))?;
        Ok((turn.reward, turn.is_over, turn.is_cut))
    }

    /// What the one who is steered knows now.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let seen = self.game(py)?.observation();
        Ok(seen.map_err(|error| failed(py, error))?.into_pyarray(py))
    }

    /// What is on each square of the map.
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.game(py)?;
        let squares = game.squares().into_iter().map(|square| square as u8);
        let grid = game.world().ground().grid();
        let (height, width) = (grid.height() as usize, grid.width() as usize);
        let squares = squares.collect::<Vec<u8>>().into_pyarray(py);
        squares.reshape([height, width])
    }

    /// All facts with their values.
    fn known(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let game = self.game(py)?;
        let known = game.known().into_iter();
        Ok(known
            .map(|(name, value)| (name.to_owned(), value))
            .collect())
    }

    /// How many numbers an observation has.
    #[getter]
    fn width(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.game(py)?.width())
    }

    /// How many ticks the game has taken.
    #[getter]
    fn tick(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.game(py)?.tick())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a game of the arena cannot be pickled or copied: make it where it is played, from the document and the map: the same seed gives the same game",
        ))
    }

    /// How many kinds of squares there are.
    #[classattr]
    const KINDS: u8 = SQUARES;

    /// The names of all keys that steer.
    #[staticmethod]
    fn keys() -> Vec<&'static str> {
        Key::ALL.map(Key::name).to_vec()
    }

    /// The names of all facts, and what each says.
    #[staticmethod]
    fn facts() -> Vec<(&'static str, &'static str)> {
        facts().collect()
    }
}
