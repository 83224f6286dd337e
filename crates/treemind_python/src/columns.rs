//! Keys of many agents as arrays.

use crate::values::{held_to_python, to_python};
use numpy::{IntoPyArray as _, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use treemind_core::{Behaviour, KeyId, Population, Type, Value};

/// Gives a key of some agents, or of all, the values that a function has for their positions.
pub(crate) fn set_each(
    population: &mut Population,
    key: KeyId,
    chosen: Option<&[i64]>,
    agents: usize,
    value: impl Fn(usize) -> Value,
) -> PyResult<()> {
    let refused = |error: treemind_core::WrongType| PyTypeError::new_err(error.to_string());
    match chosen {
        Some(chosen) => chosen
            .iter()
            .enumerate()
            .try_for_each(|(row, agent)| population.set(*agent as usize, key, value(row)))
            .map_err(refused),
        None => (0..agents)
            .try_for_each(|agent| population.set(agent, key, value(agent)))
            .map_err(refused),
    }
}

/// Copies a column into the chunks of a population.
pub(crate) fn write_column(
    population: &mut Population,
    (key, ty): (KeyId, Type),
    column: &Bound<'_, PyAny>,
    chosen: Option<&[i64]>,
    agents: usize,
) -> PyResult<()> {
    /// Copies one chunk after the other; `false` if the key has no plain column.
    fn whole<T: Copy>(
        population: &mut Population,
        values: &[T],
        of: impl for<'b> Fn(&'b mut treemind_core::Board<'_>) -> Option<&'b mut [T]>,
    ) -> bool {
        let mut is_plain = true;
        population.for_each_board(|mut board| {
            let first = board.first_agent();
            match of(&mut board) {
                Some(lanes) => {
                    let values = &values[first.min(values.len())..];
                    let count = lanes.len().min(values.len());
                    lanes[..count].copy_from_slice(&values[..count]);
                }
                None => is_plain = false,
            }
        });
        is_plain
    }
    match ty {
        Type::Float => {
            let values: PyReadonlyArray1<'_, f32> = column.extract()?;
            let values = values.as_slice()?;
            if chosen.is_none() && whole(population, values, |board| board.floats_mut(key)) {
                return Ok(());
            }
            set_each(population, key, chosen, agents, |row| {
                Value::Float(values[row])
            })
        }
        Type::Double => {
            let values: PyReadonlyArray1<'_, f64> = column.extract()?;
            let values = values.as_slice()?;
            if chosen.is_none() && whole(population, values, |board| board.doubles_mut(key)) {
                return Ok(());
            }
            set_each(population, key, chosen, agents, |row| {
                Value::Double(values[row])
            })
        }
        Type::Int => {
            let values: PyReadonlyArray1<'_, i64> = column.extract()?;
            let values = values.as_slice()?;
            if chosen.is_none() && whole(population, values, |board| board.ints_mut(key)) {
                return Ok(());
            }
            set_each(population, key, chosen, agents, |row| {
                Value::Int(values[row])
            })
        }
        Type::Bool => {
            let values: PyReadonlyArray1<'_, u8> = column.extract()?;
            let values = values.as_slice()?;
            set_each(population, key, chosen, agents, |row| {
                Value::Bool(values[row] & 1 == 1)
            })
        }
        Type::Entity => {
            let values: PyReadonlyArray1<'_, u64> = column.extract()?;
            let values = values.as_slice()?;
            set_each(population, key, chosen, agents, |row| {
                Value::Entity(values[row])
            })
        }
        Type::Enum(list) => {
            let values: PyReadonlyArray1<'_, i64> = column.extract()?;
            let values = values.as_slice()?;
            set_each(population, key, chosen, agents, |row| {
                Value::Enum(list, values[row] as u32)
            })
        }
        Type::Vec2 | Type::Vec3 => {
            let values: PyReadonlyArray2<'_, f32> = column.extract()?;
            let values = values.as_slice()?;
            set_each(population, key, chosen, agents, |row| match ty {
                Type::Vec2 => Value::Vec2([values[2 * row], values[2 * row + 1]]),
                _ => Value::Vec3([values[3 * row], values[3 * row + 1], values[3 * row + 2]]),
            })
        }
        other => Err(PyTypeError::new_err(format!(
            "a key of type {other} has no column"
        ))),
    }
}

/// Values of one type as an array: vectors with a column for each part, enumerations as their names, and what has no
/// plain column as objects. What is missing is 0, or `None` among objects.
pub(crate) fn array_of<'py>(
    py: Python<'py>,
    behaviour: &Behaviour,
    ty: Type,
    values: impl ExactSizeIterator<Item = Option<Value>>,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = values.len();
    macro_rules! plain {
        ($variant:path, $zero:expr) => {{
            let values = values.map(|value| match value {
                Some($variant(value)) => value,
                _ => $zero,
            });
            let values: Vec<_> = values.collect();
            Ok(values.into_pyarray(py).into_any())
        }};
    }
    match ty {
        Type::Float => plain!(Value::Float, 0.0),
        Type::Double => plain!(Value::Double, 0.0),
        Type::Int => plain!(Value::Int, 0),
        Type::Bool => plain!(Value::Bool, false),
        Type::Entity => plain!(Value::Entity, 0),
        Type::Vec2 | Type::Vec3 => {
            let parts = ty.parts().unwrap_or(2);
            let mut flat: Vec<f32> = Vec::with_capacity(parts * rows);
            for value in values {
                match value {
                    Some(Value::Vec2(vector)) => flat.extend(vector),
                    Some(Value::Vec3(vector)) => flat.extend(vector),
                    _ => flat.extend(std::iter::repeat_n(0.0, parts)),
                }
            }
            Ok(flat.into_pyarray(py).reshape([rows, parts])?.into_any())
        }
        Type::Enum(list) => {
            let codes = values.map(|value| match value {
                Some(Value::Enum(_, at)) => i64::from(at),
                _ => -1,
            });
            let codes: Vec<i64> = codes.collect();
            let names = &behaviour.enumeration(list).values;
            let module = PyModule::import(py, "treemind._arrays")?;
            module.call_method1("enums", (names, codes.into_pyarray(py)))
        }
        _ => {
            let objects = values.map(|value| match value {
                Some(value) => to_python(py, behaviour, value),
                None => Ok(py.None().into_bound(py)),
            });
            objects_of(py, objects.collect::<PyResult<Vec<_>>>()?)
        }
    }
}

fn objects_of<'py>(
    py: Python<'py>,
    objects: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    PyModule::import(py, "treemind._arrays")?.call_method1("objects", (objects,))
}

/// The values of a key as an array: those of a plain key by their type, of others as objects, with `None` where the key
/// is unset.
pub(crate) fn read_column<'py>(
    py: Python<'py>,
    population: &Population,
    key: KeyId,
    agents: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let behaviour = population.program().behaviour();
    let about = behaviour.key(key);
    if about.form == treemind_core::behaviour::Form::One {
        let values = (0..agents).map(|agent| population.find(agent, key));
        return array_of(py, behaviour, about.ty, values);
    }
    let objects =
        (0..agents).map(|agent| held_to_python(py, behaviour, population.held(agent, key)));
    objects_of(py, objects.collect::<PyResult<Vec<_>>>()?)
}
