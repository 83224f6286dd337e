//! The arena for learners: actors that are steered from Python.

use crate::diagnostics::misuse;
use crate::document::Document;
use crate::sweep::failed;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};
use treemind_arena::steer::{Game, SQUARES, Wanted, facts};
use treemind_arena::sweep::SweepError;
use treemind_arena::{Key, Scenario, Sight};

/// A game in which one actor is steered, or several.
#[pyclass(frozen, module = "treemind", name = "ArenaGame")]
pub(crate) struct ArenaGame {
    inner: Mutex<Game>,
    /// How much of the map is seen.
    pub(crate) sight: Option<Sight>,
    actions: Vec<Option<Key>>,
    names: Vec<String>,
    every: u32,
}

/// The name of the action that presses no key.
const WAIT: &str = "wait";

impl ArenaGame {
    pub(crate) fn game(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Game>> {
        let busy = "another thread is in the middle of a turn of this game";
        self.inner
            .try_lock()
            .map_err(|_| misuse(py, busy.to_owned()))
    }
}

/// The scenario of a text.
fn scenario(py: Python<'_>, map: &str) -> PyResult<Scenario> {
    let scenario = Scenario::parse(map);
    scenario.map_err(|error| failed(py, SweepError::Map(error.to_string())))
}

/// The keys of actions by their names.
fn keys_of(actions: &[String]) -> PyResult<Vec<Option<Key>>> {
    let key = |name: &String| match Key::ALL.into_iter().find(|key| key.name() == name) {
        None if name != WAIT => {
            let known = Key::ALL.map(Key::name).join(", ");
            let text = format!("actions are some of {WAIT}, {known}, not {name:?}");
            Err(PyValueError::new_err(text))
        }
        key => Ok(key),
    };
    let keys = actions.iter().map(key).collect::<PyResult<Vec<_>>>()?;
    match keys.is_empty() {
        true => Err(PyValueError::new_err("there are no actions")),
        false => Ok(keys),
    }
}

#[pymethods]
impl ArenaGame {
    /// A game as its map says, unless it is said here. `grid` is -1 for none, 0 for the whole map, or how many squares in
    /// each direction. Only the first is steered if it is to be `alone`.
    #[new]
    #[pyo3(signature = (document, map, *, name = None, steer = None, observe = None, grid = None, actions = None, reward = None, until = None, every = None, ticks = None, alone = false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are arguments by name in Python"
    )]
    fn new(
        py: Python<'_>,
        document: Py<Document>,
        map: &str,
        name: Option<String>,
        steer: Option<Vec<String>>,
        observe: Option<Vec<String>>,
        grid: Option<i64>,
        actions: Option<Vec<String>>,
        reward: Option<String>,
        until: Option<String>,
        every: Option<u32>,
        ticks: Option<u64>,
        alone: bool,
    ) -> PyResult<Self> {
        if every == Some(0) || ticks == Some(0) {
            return Err(PyValueError::new_err("`every` and `ticks` are 1 or more"));
        }
        let scenario = scenario(py, map)?;
        let mut wanted = Wanted::of(&scenario);
        if let Some(steer) = steer {
            let mut who = steer.into_iter();
            let first = who.next();
            wanted.steer = first.ok_or_else(|| {
                PyValueError::new_err("nobody is steered: `steer` names actors of the map")
            })?;
            wanted.others = who.collect();
        }
        if alone {
            wanted.others.clear();
        }
        wanted.observe = observe.unwrap_or(wanted.observe);
        wanted.reward = reward.unwrap_or(wanted.reward);
        wanted.until = until.or(wanted.until);
        wanted.every = every.unwrap_or(wanted.every);
        wanted.ticks = ticks.unwrap_or(wanted.ticks);
        let said = &scenario.steer;
        let sight = match grid {
            None => said.grid,
            Some(-1) => None,
            Some(0) => Some(Sight::Whole),
            Some(side) => {
                let side = u32::try_from(side).ok().and_then(Sight::around);
                Some(side.ok_or_else(|| {
                    PyValueError::new_err("`grid` is True, False, or an odd number from 3 to 63: so many squares in each direction")
                })?)
            }
        };
        let actions = match (actions, &said.actions[..]) {
            (Some(actions), _) => keys_of(&actions)?,
            (None, []) => std::iter::once(None).chain(Key::ALL.map(Some)).collect(),
            (None, said) => said.to_vec(),
        };
        let main = name.or_else(|| said.main.clone());
        let read = document.get().inner.as_ref().clone();
        let game = Game::new(read, main.as_deref(), map, &wanted);
        Ok(Self {
            inner: Mutex::new(game.map_err(|error| failed(py, error))?),
            sight,
            actions,
            every: wanted.every,
            names: std::iter::once(wanted.steer).chain(wanted.others).collect(),
        })
    }

    /// The document that a map names, if it names one.
    #[staticmethod]
    fn document_of(py: Python<'_>, map: &str) -> PyResult<Option<String>> {
        Ok(scenario(py, map)?.steer.document)
    }

    /// The names of the actions, in order.
    #[getter]
    fn actions(&self) -> Vec<&'static str> {
        let actions = self.actions.iter();
        actions.map(|key| key.map_or(WAIT, Key::name)).collect()
    }

    /// The names of those who are steered.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// How many ticks a turn has.
    #[getter]
    fn every(&self) -> u32 {
        self.every
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

    /// What is on each square that is seen; `None` if no grid is wanted.
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u8>>>> {
        let Some(sight) = self.sight else {
            return Ok(None);
        };
        let (squares, size) = self.game(py)?.seen_of(0, sight);
        let squares = squares.into_iter().map(|square| square as u8);
        let squares = squares.collect::<Vec<u8>>().into_pyarray(py);
        squares.reshape(size).map(Some)
    }

    /// What is on each square of the map.
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (squares, size) = self.game(py)?.seen_of(0, Sight::Whole);
        let squares = squares.into_iter().map(|square| square as u8);
        squares.collect::<Vec<u8>>().into_pyarray(py).reshape(size)
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
