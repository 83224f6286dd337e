//! Many games of the arena, each with one or several who are steered, a turn of all in one call.

use crate::arena::ArenaGame;
use crate::diagnostics::misuse;
use crate::sweep::failed;
use crate::threads::Pool;
use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard};
use treemind_arena::steer::{Game, Turn};
use treemind_arena::sweep::SweepError;
use treemind_arena::{Key, Sight};

/// Games that have nothing to do with each other. Their rows are game by game, and in each player by player.
#[pyclass(frozen, module = "treemind", name = "ArenaGames")]
pub(crate) struct ArenaGames {
    inner: Mutex<Inner>,
    count: usize,
    players: usize,
    sight: Option<Sight>,
}

struct Inner {
    games: Vec<Game>,
    threads: usize,
    pool: Option<Pool>,
}

impl Inner {
    /// Does something with each game, on all threads. The first game that fails says why.
    fn each<T: Send>(
        &mut self,
        work: impl Fn(usize, &mut Game) -> Result<T, SweepError> + Sync,
    ) -> Result<Result<Vec<T>, SweepError>, String> {
        let games = &mut self.games;
        if self.threads == 1 || games.len() == 1 {
            let games = games.iter_mut().enumerate();
            return Ok(games.map(|(nth, game)| work(nth, game)).collect());
        }
        let pool = Pool::of_this_process(&mut self.pool, self.threads)?;
        let done: Vec<Result<T, SweepError>> = pool.install(|| {
            let games = games.par_iter_mut().enumerate();
            games.map(|(nth, game)| work(nth, game)).collect()
        });
        Ok(done.into_iter().collect())
    }
}

/// What turns were worth, which games are over, and which were cut off.
type Turns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

impl ArenaGames {
    fn inner(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let busy = "another thread is in the middle of a turn of these games";
        self.inner
            .try_lock()
            .map_err(|_| misuse(py, busy.to_owned()))
    }

    fn each<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Fn(usize, &mut Game) -> Result<T, SweepError> + Sync + Send,
    ) -> PyResult<Vec<T>> {
        let inner = &mut *self.inner(py)?;
        let done = py.detach(|| inner.each(work));
        let done = done.map_err(|text| misuse(py, text))?;
        done.map_err(|error| failed(py, error))
    }
}

impl ArenaGames {
    fn squares_in<'py>(&self, py: Python<'py>, sight: Sight) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let players = self.players;
        let all = self.each(py, |_, game| {
            let seen = (0..players).map(|player| game.seen_of(player, sight));
            let (squares, sizes): (Vec<_>, Vec<[usize; 2]>) = seen.unzip();
            let squares = squares.into_iter().flatten().map(|square| square as u8);
            Ok((squares.collect::<Vec<u8>>(), sizes[0]))
        });
        let all = all?;
        let [height, width] = all[0].1;
        let squares: Vec<u8> = all.into_iter().flat_map(|(squares, _)| squares).collect();
        let shape = [self.count * self.players, height, width];
        squares.into_pyarray(py).reshape(shape)
    }
}

/// The most games of one object.
const MOST_GAMES: usize = 100_000;

#[pymethods]
impl ArenaGames {
    /// So many games like one that is at its beginning.
    #[new]
    #[pyo3(signature = (game, count, threads))]
    fn new(py: Python<'_>, game: &ArenaGame, count: usize, threads: usize) -> PyResult<Self> {
        if !(1..=MOST_GAMES).contains(&count) {
            return Err(PyValueError::new_err("there are 1 to 100 000 games"));
        }
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err("`threads` is from 1 to 1024"));
        }
        let first = game.game(py)?;
        let players = first.players();
        Ok(Self {
            inner: Mutex::new(Inner {
                games: vec![first.clone(); count],
                threads: threads.min(count),
                pool: None,
            }),
            count,
            players,
            sight: game.sight,
        })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Begins some games again: those whose entry in `which` is not 0.
    fn begin(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, u8>,
        seeds: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<()> {
        let (which, seeds) = (which.as_slice()?, seeds.as_slice()?);
        if which.len() != self.count || seeds.len() != self.count {
            return Err(PyValueError::new_err("a seed is wanted for each game"));
        }
        let begun = self.each(py, |nth, game| match which[nth] {
            0 => Ok(()),
            _ => game.begin(seeds[nth]),
        });
        begun.map(drop)
    }

    /// Presses keys, given by their places, or none by -1, and plays a turn of the games whose entry in `which` is not 0.
    fn turn<'py>(
        &self,
        py: Python<'py>,
        which: PyReadonlyArray1<'py, u8>,
        keys: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Turns<'py>> {
        let (which, keys) = (which.as_slice()?, keys.as_slice()?);
        if which.len() != self.count || keys.len() != self.count * self.players {
            return Err(PyValueError::new_err(
                "a key is wanted for each who is steered",
            ));
        }
        let pressed = |place: &i64| match usize::try_from(*place) {
            Ok(place) => Key::ALL.get(place).copied(),
            Err(_) => None,
        };
        let nothing = Turn {
            reward: 0.0,
            is_over: false,
            is_cut: false,
        };
        let players = self.players;
        let turns = self.each(py, |nth, game| {
            if which[nth] == 0 {
                return Ok(vec![nothing; players]);
            }
            let keys = keys[nth * players..][..players].iter().map(pressed);
            game.turn_all(&keys.collect::<Vec<_>>())
        });
        let turns = turns?.concat();
        let rewards: Vec<f64> = turns.iter().map(|turn| turn.reward).collect();
        let over: Vec<bool> = turns.iter().map(|turn| turn.is_over).collect();
        let cut: Vec<bool> = turns.iter().map(|turn| turn.is_cut).collect();
        Ok((
            rewards.into_pyarray(py),
            over.into_pyarray(py),
            cut.into_pyarray(py),
        ))
    }

    /// What each who is steered knows now: a row for each.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let players = self.players;
        let rows = self.each(py, |_, game| {
            let mut rows = Vec::with_capacity(players * game.width());
            for player in 0..players {
                let seen = game.observation_of(player)?;
                rows.extend(seen.into_iter().map(|number| number as f32));
            }
            Ok(rows)
        });
        let rows = rows?.concat();
        let width = rows.len() / (self.count * self.players);
        rows.into_pyarray(py)
            .reshape([self.count * self.players, width])
    }

    /// What is on each square that is seen, as each who is steered has it; `None` if no grid is wanted.
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        self.sight
            .map(|sight| self.squares_in(py, sight))
            .transpose()
    }

    /// What is on each square of the map, as each who is steered has it.
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        self.squares_in(py, Sight::Whole)
    }

    /// All facts of each who is steered, in the order in which `ArenaGame.facts` names them.
    fn known<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let players = self.players;
        let rows = self.each(py, |_, game| {
            let known = (0..players).flat_map(|player| game.known_of(player));
            Ok(known.map(|(_, value)| value).collect::<Vec<f64>>())
        });
        let rows = rows?.concat();
        let width = rows.len() / (self.count * self.players);
        rows.into_pyarray(py)
            .reshape([self.count * self.players, width])
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "games of the arena cannot be pickled or copied: make them where they are played, from the document and the map: the same seeds give the same games",
        ))
    }

    /// How many ticks each game has taken.
    #[getter]
    fn ticks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let inner = self.inner(py)?;
        let ticks: Vec<i64> = inner.games.iter().map(|game| game.tick() as i64).collect();
        Ok(ticks.into_pyarray(py))
    }
}
