//! Divides a module of WebAssembly in two: what pages use at once, and what is loaded when it is called for the first time.
//!
//! In the first module, each function of the second is a few instructions that call it by the table of functions. The
//! second puts its functions there; a function from outside, `more`, loads it. Which functions pages use at once is
//! found out by playing the examples with a module in which every function leaves a mark.

use super::data;
use super::wasm::{
    CODE, Calls, DATA, ELEMENTS, EXPORTS, FUNCTIONS, GLOBALS, IMPORTS, Module, Reader, TABLES,
    TYPES, calls,
};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};

const MAGIC: &[u8] = b"\0asm\x01\0\0\0";

/// How many functions a module has.
pub(super) fn functions(bytes: &[u8]) -> Result<usize> {
    Ok(Module::read(bytes)?.functions.len())
}

/// A module in which the global `h` and the number of a function is 1 as soon as that was called.
pub(super) fn marked(bytes: &[u8]) -> Result<Vec<u8>> {
    let module = Module::read(bytes)?;
    let first = module.globals.len();
    let count = module.functions.len();
    let globals = vec![[0x7f, 0x01, 0x41, 0x00, 0x0b]; count].concat();
    let exports: Vec<Vec<u8>> = (0..count)
        .map(|nth| export(&format!("h{nth}"), 3, (first + nth) as u32))
        .collect();
    let mut bodies = Vec::new();
    for (nth, body) in module.bodies.iter().enumerate() {
        let begin = calls(body)?.begin;
        let mark = [&[0x41, 0x01, 0x24], &*number((first + nth) as u32)].concat();
        bodies.push([&body[..begin], &mark, &body[begin..]].concat());
    }
    let mut out = MAGIC.to_vec();
    for (section, content) in &module.sections {
        let content = match *section {
            GLOBALS => longer(content, count, &globals)?,
            EXPORTS => longer(content, count, &exports.concat())?,
            CODE => many(bodies.iter().map(|body| sized(body))),
            _ => content.to_vec(),
        };
        push(&mut out, *section, &content);
    }
    Ok(out)
}

/// The module with the functions that are `hot`, by their numbers, and the one with all others, and with the texts that only
/// those read.
pub(super) fn split(
    bytes: &[u8],
    hot: &BTreeSet<u32>,
    texts: &[Vec<u8>],
) -> Result<(Vec<u8>, Vec<u8>)> {
    let module = Module::read(bytes)?;
    let mut cold = BTreeMap::new();
    for (nth, body) in module.bodies.iter().enumerate() {
        let calls = calls(body)?;
        // What is shorter than the way to it stays.
        if !hot.contains(&(nth as u32)) && !calls.has_segments && body.len() > 24 {
            cold.insert(nth as u32, calls);
        }
    }
    let called = named_outside(&module, &cold);
    let places = places(&module, &cold)?;
    let data = module.section_of(DATA).unwrap_or(&[0]);
    let (rest, taken) = data::taken(data, texts)?;
    Ok((
        first(&module, &cold, &places, &called, &rest)?,
        second(&module, &cold, &places, &called, &taken)?,
    ))
}

/// The functions of the first module that the second names, by their numbers there.
fn named_outside(module: &Module<'_>, cold: &BTreeMap<u32, Calls>) -> Vec<u32> {
    let named = cold.values().flat_map(|calls| &calls.named);
    let is_cold = |function: &u32| {
        let within = function.checked_sub(module.imported);
        within.is_some_and(|nth| cold.contains_key(&nth))
    };
    let all: BTreeSet<u32> = named.map(|(_, function)| *function).collect();
    all.into_iter()
        .filter(|function| !is_cold(function))
        .collect()
}

/// The places in the table of those functions of the second module that something in the first can call.
fn places(module: &Module<'_>, cold: &BTreeMap<u32, Calls>) -> Result<BTreeMap<u32, u32>> {
    let mut named: BTreeSet<u32> = module.tabled.iter().copied().collect();
    named.extend(&module.exported);
    for (nth, body) in module.bodies.iter().enumerate() {
        if !cold.contains_key(&(nth as u32)) {
            named.extend(calls(body)?.named.into_iter().map(|(_, function)| function));
        }
    }
    let is_named = |nth: &u32| named.contains(&(nth + module.imported));
    let named = cold.keys().copied().filter(is_named);
    Ok(named.zip(module.table..).collect())
}

fn first(
    module: &Module<'_>,
    cold: &BTreeMap<u32, Calls>,
    places: &BTreeMap<u32, u32>,
    called: &[u32],
    data: &[u8],
) -> Result<Vec<u8>> {
    let is_here = module.globals.len() as u32;
    let slots = module.table + places.len() as u32;
    let mut exports = vec![export("is_here", 3, is_here), export("table", 1, 0)];
    exports.extend((0..is_here).map(|nth| export(&format!("g{nth}"), 3, nth)));
    exports.extend(called.iter().map(|nth| export(&format!("f{nth}"), 0, *nth)));
    let body = |(nth, body): (usize, &&[u8])| match places.get(&(nth as u32)) {
        Some(slot) => sized(&way_to(module, nth, *slot, is_here)),
        // Nobody here calls it, and it keeps its number.
        None if cold.contains_key(&(nth as u32)) => sized(&[0, 0x00, 0x0b]),
        None => sized(body),
    };
    let mut out = MAGIC.to_vec();
    for (section, content) in &module.sections {
        let content = match *section {
            TABLES => [&[1, 0x70, 1], &*number(slots), &number(slots)].concat(),
            GLOBALS => longer(content, 1, &[0x7f, 0x01, 0x41, 0x00, 0x0b])?,
            EXPORTS => longer(content, exports.len(), &exports.concat())?,
            CODE => many(module.bodies.iter().enumerate().map(body)),
            DATA => data.to_vec(),
            _ => content.to_vec(),
        };
        push(&mut out, *section, &content);
    }
    Ok(out)
}

/// The code of a function that calls the one in the second module, and has it loaded before.
fn way_to(module: &Module<'_>, nth: usize, slot: u32, is_here: u32) -> Vec<u8> {
    let of = module.functions[nth];
    let mut code = vec![0, 0x23];
    code.extend(number(is_here));
    code.extend([0x45, 0x04, 0x40, 0x10]);
    code.extend(number(module.loader));
    code.push(0x0b);
    for parameter in 0..module.parameters[of as usize] {
        code.push(0x20);
        code.extend(number(parameter));
    }
    code.push(0x41);
    code.extend(signed(slot));
    code.push(0x11);
    code.extend(number(of));
    code.extend([0, 0x0b]);
    code
}

fn second(
    module: &Module<'_>,
    cold: &BTreeMap<u32, Calls>,
    places: &BTreeMap<u32, u32>,
    called: &[u32],
    data: &[u8],
) -> Result<Vec<u8>> {
    let type_of = |function: u32| match function.checked_sub(module.imported) {
        Some(within) => module.functions[within as usize],
        None => module.outside[function as usize],
    };
    let mut imports = vec![
        import("memory", &[2, 0, 0]),
        import("table", &[&[1, 0x70, 0], &*number(module.table)].concat()),
    ];
    for (nth, kind) in module.globals.iter().enumerate() {
        imports.push(import(&format!("g{nth}"), &[3, kind[0], kind[1]]));
    }
    for function in called {
        let of = [&[0], &*number(type_of(*function))].concat();
        imports.push(import(&format!("f{function}"), &of));
    }
    let outside = called.iter().copied().zip(0..);
    let within = cold.keys().map(|nth| nth + module.imported);
    let within = within.zip(called.len() as u32..);
    let numbers: BTreeMap<u32, u32> = outside.chain(within).collect();
    let mut bodies = Vec::new();
    for (nth, calls) in cold {
        let body = module.bodies[*nth as usize];
        let (mut made, mut at) = (Vec::new(), 0);
        for (place, function) in &calls.named {
            made.extend(&body[at..place.start]);
            made.extend(number(numbers[function]));
            at = place.end;
        }
        made.extend(&body[at..]);
        bodies.push(made);
    }
    let types = module.section_of(TYPES).context("it has no types")?;
    let kinds = cold
        .keys()
        .map(|nth| number(module.functions[*nth as usize]));
    let own = places
        .keys()
        .map(|nth| number(numbers[&(nth + module.imported)]));
    let offset = [&[0, 0x41], &*signed(module.table), &[0x0b]].concat();
    let mut out = MAGIC.to_vec();
    push(&mut out, TYPES, types);
    push(&mut out, IMPORTS, &many(imports.into_iter()));
    push(&mut out, FUNCTIONS, &many(kinds));
    push(&mut out, ELEMENTS, &[&[1], &*offset, &many(own)].concat());
    push(&mut out, CODE, &many(bodies.iter().map(|body| sized(body))));
    push(&mut out, DATA, data);
    Ok(out)
}

fn import(name: &str, what: &[u8]) -> Vec<u8> {
    [&*sized(b"first"), &sized(name.as_bytes()), what].concat()
}

fn export(name: &str, kind: u8, nth: u32) -> Vec<u8> {
    [&*sized(name.as_bytes()), &[kind], &number(nth)].concat()
}

/// A section with more in it.
fn longer(content: &[u8], by: usize, more: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader::new(content);
    let count = reader.number()? + by as u32;
    Ok([&*number(count), reader.rest(), more].concat())
}

pub(super) fn many(pieces: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let pieces: Vec<Vec<u8>> = pieces.collect();
    [number(pieces.len() as u32), pieces.concat()].concat()
}

pub(super) fn sized(piece: &[u8]) -> Vec<u8> {
    [&*number(piece.len() as u32), piece].concat()
}

fn push(out: &mut Vec<u8>, section: u8, content: &[u8]) {
    out.push(section);
    out.extend(sized(content));
}

pub(super) fn number(value: u32) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), value);
    while rest > 0x7f {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out
}

/// The same where a number may be negative: the last byte says by its highest bit that it is not.
pub(super) fn signed(value: u32) -> Vec<u8> {
    let mut out = number(value);
    if let Some(last) = out.last_mut()
        && *last & 0x40 != 0
    {
        *last |= 0x80;
        out.push(0);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with two functions of one number: the first calls the second, and the second adds up.
    fn module() -> Vec<u8> {
        let padding = [0x01; 30];
        let calls = [&[0], &padding[..], &[0x20, 0, 0x10, 2, 0x0b]].concat();
        let adds = [&[0], &padding[..], &[0x20, 0, 0x20, 0, 0x6a, 0x0b]].concat();
        let types = [&[2], &[0x60, 0, 0][..], &[0x60, 1, 0x7f, 1, 0x7f]].concat();
        let imports = [&[1], &*sized(b"page"), &sized(b"more"), &[0, 0]].concat();
        let global = [0x7f, 0x01, 0x41, 0x07, 0x0b];
        let exports = [export("memory", 2, 0), export("run", 0, 1)];
        let mut out = MAGIC.to_vec();
        push(&mut out, TYPES, &types);
        push(&mut out, IMPORTS, &imports);
        push(&mut out, FUNCTIONS, &[2, 1, 1]);
        push(&mut out, TABLES, &[1, 0x70, 1, 1, 1]);
        push(&mut out, 5, &[1, 0, 1]);
        push(&mut out, GLOBALS, &[&[1], &global[..]].concat());
        push(&mut out, EXPORTS, &many(exports.into_iter()));
        push(
            &mut out,
            CODE,
            &many([calls, adds].iter().map(|body| sized(body))),
        );
        out
    }

    #[test]
    fn what_is_not_hot_is_called_by_the_table() {
        let whole = module();
        let (first, second) = split(&whole, &BTreeSet::from([0]), &[]).expect("two modules");
        let first = Module::read(&first).expect("a module");
        assert_eq!(first.table, 2, "the table has room for one function more");
        assert_eq!(first.globals.len(), 2);
        // The function that stays calls the other one as before; that one has the second module loaded.
        let named = |nth: usize| calls(first.bodies[nth]).expect("code").named;
        assert_eq!(named(0)[0].1, 2);
        assert_eq!(named(1)[0].1, first.loader);
        assert!(second.windows(4).any(|piece| piece == [0x20, 0, 0x20, 0]));
        assert!(second.starts_with(MAGIC));
    }

    #[test]
    fn every_function_leaves_a_mark() {
        let whole = module();
        let marked = marked(&whole).expect("a module");
        let module = Module::read(&marked).expect("a module");
        assert_eq!(module.globals.len(), 3);
        assert!(module.bodies[1].starts_with(&[0, 0x41, 1, 0x24, 2]));
        assert_eq!(functions(&whole).expect("a number"), 2);
    }

    #[test]
    fn what_is_no_module_is_refused() {
        let whole = module();
        for end in 0..whole.len() {
            let _ = split(&whole[..end], &BTreeSet::new(), &[]);
        }
        assert!(split(b"", &BTreeSet::new(), &[]).is_err());
    }
}
