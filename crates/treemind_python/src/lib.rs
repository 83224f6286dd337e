//! Treemind for Python: what the wheel has of native code. Everything in here is reached through the package `treemind`
//! (`python/treemind`), which gives it names, types and the parts that are better written in Python.

mod arena;
mod arrow;
mod balance;
mod cast;
mod code;
mod columns;
mod convert;
mod diagnostics;
mod document;
mod frames;
mod games;
mod host;
mod me;
mod mind;
mod minds;
mod recording;
mod runs;
mod sweep;
mod threads;
mod tools;
mod values;

use pyo3::prelude::*;

/// The native part of the package `treemind`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<arena::ArenaGame>()?;
    module.add_class::<balance::Balanced>()?;
    module.add_class::<balance::Profile>()?;
    module.add_class::<games::ArenaGames>()?;
    module.add_class::<cast::Cast>()?;
    module.add_class::<cast::Actor>()?;
    module.add_class::<diagnostics::Diagnostic>()?;
    module.add_class::<document::Document>()?;
    module.add_class::<me::Me>()?;
    module.add_class::<mind::Mind>()?;
    module.add_class::<mind::Fault>()?;
    module.add_class::<minds::Minds>()?;
    module.add_class::<recording::Recorder>()?;
    module.add_class::<frames::Recording>()?;
    module.add_class::<recording::Studio>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_class::<values::Status>()?;
    module.add_class::<tools::TestOutcome>()?;
    module.add_function(wrap_pyfunction!(document::read_file, module)?)?;
    module.add_function(wrap_pyfunction!(document::read_text, module)?)?;
    module.add_function(wrap_pyfunction!(convert::fmt, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_stream, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_structures, module)?)?;
    module.add_function(wrap_pyfunction!(balance::balance, module)?)?;
    module.add_function(wrap_pyfunction!(tools::test, module)?)?;
    module.add_function(wrap_pyfunction!(tools::list_tests, module)?)?;
    module.add_function(wrap_pyfunction!(tools::learn, module)?)?;
    Ok(())
}
