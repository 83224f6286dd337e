//! Values of keys and arguments, and answers, in Python and in Rust.

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyTuple};
use std::time::Duration;
use treemind_core::{Behaviour, Held, Text, Type, Value};

/// What a condition or an action answers.
#[pyclass(
    frozen,
    eq,
    hash,
    module = "treemind",
    rename_all = "SCREAMING_SNAKE_CASE"
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    Success,
    Failure,
    Running,
    Skipped,
}

impl From<treemind_core::Status> for Status {
    fn from(status: treemind_core::Status) -> Self {
        match status {
            treemind_core::Status::Success => Status::Success,
            treemind_core::Status::Failure => Status::Failure,
            treemind_core::Status::Running => Status::Running,
            treemind_core::Status::Skipped => Status::Skipped,
        }
    }
}

impl From<Status> for treemind_core::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => treemind_core::Status::Success,
            Status::Failure => treemind_core::Status::Failure,
            Status::Running => treemind_core::Status::Running,
            Status::Skipped => treemind_core::Status::Skipped,
        }
    }
}

/// What a function answered: `True`, `False` or a status. `None` if it is anything else.
pub(crate) fn status_of(answer: &Bound<'_, PyAny>) -> Option<treemind_core::Status> {
    if let Ok(holds) = answer.cast::<PyBool>() {
        return Some(holds.is_true().into());
    }
    if let Ok(status) = answer.cast::<Status>() {
        return Some((*status.get()).into());
    }
    // What NumPy has for `bool`.
    let is_scalar = answer
        .get_type()
        .name()
        .is_ok_and(|name| name == "bool" || name == "bool_");
    let holds = answer.extract::<bool>().ok().filter(|_| is_scalar);
    holds.map(treemind_core::Status::from)
}

/// What a key holds.
pub(crate) fn held_to_python<'py>(
    py: Python<'py>,
    behaviour: &Behaviour,
    held: Held<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    match held {
        Held::One(value) => to_python(py, behaviour, value),
        Held::List(list) => {
            let items = list.iter().map(|value| to_python(py, behaviour, value));
            items.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
        }
        _ => Ok(py.None().into_bound(py)),
    }
}

/// A value: an `enum` is the text of its name, an `entity` an `int`, a vector a tuple.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    behaviour: &Behaviour,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Int(value) => value.into_bound_py_any(py),
        Value::Float(value) => value.into_bound_py_any(py),
        Value::Double(value) => value.into_bound_py_any(py),
        Value::Enum(list, at) => {
            let names = &behaviour.enumeration(list).values;
            names
                .get(at as usize)
                .map(String::as_str)
                .into_bound_py_any(py)
        }
        Value::Entity(value) => value.into_bound_py_any(py),
        Value::Vec2([x, y]) => (x, y).into_bound_py_any(py),
        Value::Vec3([x, y, z]) => (x, y, z).into_bound_py_any(py),
        Value::Text(text) => text.as_str().into_bound_py_any(py),
        other => Err(PyTypeError::new_err(format!(
            "a value of type {} has no form in Python",
            other.ty()
        ))),
    }
}

/// A value of a type; an `int` may stand for a `float`.
pub(crate) fn to_value(
    behaviour: &Behaviour,
    ty: Type,
    value: &Bound<'_, PyAny>,
) -> PyResult<Value> {
    let wrong = || {
        let given = value
            .get_type()
            .name()
            .map(|name| name.to_string())
            .unwrap_or_default();
        PyTypeError::new_err(format!(
            "it is `{ty}`, which cannot hold {} ({given})",
            shown(value)
        ))
    };
    Ok(match ty {
        Type::Bool => {
            Value::Bool(status_of(value).ok_or_else(wrong)? == treemind_core::Status::Success)
        }
        Type::Int => Value::Int(
            number(value)
                .and_then(|value| value.extract().ok())
                .ok_or_else(wrong)?,
        ),
        Type::Float => Value::Float(real(value).ok_or_else(wrong)? as f32),
        Type::Double => Value::Double(real(value).ok_or_else(wrong)?),
        Type::Entity => Value::Entity(
            number(value)
                .and_then(|value| value.extract().ok())
                .ok_or_else(wrong)?,
        ),
        Type::Text => Value::Text(Text::new(
            value
                .cast::<PyString>()
                .map_err(|_| wrong())?
                .to_cow()?
                .as_ref(),
        )),
        Type::Enum(list) => {
            let name = value.cast::<PyString>().map_err(|_| wrong())?.to_cow()?;
            let names = &behaviour.enumeration(list).values;
            let at = names.iter().position(|known| *known == name);
            let at = at.ok_or_else(|| {
                PyValueError::new_err(format!("it is one of {}, not `{name}`", names.join(", ")))
            })?;
            Value::Enum(list, at as u32)
        }
        Type::Vec2 => Value::Vec2(vector(value).ok_or_else(wrong)?),
        Type::Vec3 => Value::Vec3(vector(value).ok_or_else(wrong)?),
        _ => any_value(value).ok_or_else(wrong)?,
    })
}

/// A value for a key of type `any`, by what it is in Python.
fn any_value(value: &Bound<'_, PyAny>) -> Option<Value> {
    if value.is_instance_of::<PyBool>() {
        return value.extract().ok().map(Value::Bool);
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().ok().map(Value::Int);
    }
    if value.is_instance_of::<PyFloat>() {
        return value.extract().ok().map(Value::Double);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Some(Value::Text(Text::new(text.to_cow().ok()?.as_ref())));
    }
    match value.cast::<PyTuple>().ok()?.len() {
        2 => value.extract().ok().map(Value::Vec2),
        3 => value.extract().ok().map(Value::Vec3),
        _ => None,
    }
}

/// A whole number; `True` is none.
fn number<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyAny>> {
    Some(value).filter(|value| !value.is_instance_of::<PyBool>())
}

/// A number.
pub(crate) fn real(value: &Bound<'_, PyAny>) -> Option<f64> {
    number(value)?.extract().ok()
}

/// A vector: a tuple, a list, or a row of an array.
fn vector<const N: usize>(value: &Bound<'_, PyAny>) -> Option<[f32; N]> {
    if let Ok(vector) = value.extract() {
        return Some(vector);
    }
    let mut parts = value.try_iter().ok()?;
    let mut vector = [0.0; N];
    for part in &mut vector {
        *part = real(&parts.next()?.ok()?)? as f32;
    }
    parts.next().is_none().then_some(vector)
}

/// A value for a message, shortened.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = value.repr().map(|text| text.to_string());
    let text = text.unwrap_or_else(|_| "a value without a `repr`".to_owned());
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A number of seconds as a span of time.
pub(crate) fn duration(secs: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(secs).map_err(|_| {
        PyValueError::new_err(format!(
            "`dt` is a time in seconds, not {secs}: 0 or more, and finite"
        ))
    })
}
