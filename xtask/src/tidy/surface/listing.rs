//! The listing: every public name, and each item once, under its shortest name.

use super::names::{Crates, ModulePath, Target};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A module that a path leads to.
struct Seen {
    shown: Vec<String>,
    module: ModulePath,
}

/// All public modules from `treemind` on, with their items.
pub(super) fn of(crates: &Crates) -> String {
    let modules = modules(crates);
    let mut first: BTreeMap<Target, String> = BTreeMap::new();
    for seen in &modules {
        // A prelude only says again what lies elsewhere.
        if seen.shown.last().is_some_and(|name| name == "prelude") {
            continue;
        }
        for (name, target) in names(crates, &seen.module) {
            let path = format!("{}::{name}", seen.shown.join("::"));
            first.entry(target).or_insert(path);
        }
    }
    let mut shown: Vec<(String, Vec<String>)> = Vec::new();
    for seen in &modules {
        let path = seen.shown.join("::");
        let mut lines = Vec::new();
        for (name, target) in names(crates, &seen.module) {
            let full = format!("{path}::{name}");
            match first.get(&target) {
                Some(known) if *known != full => lines.push(format!("  {name} is {known}")),
                _ => lines.extend(details(crates, &target)),
            }
        }
        shown.push((path, lines));
    }
    shown.sort();
    let mut text = String::new();
    for (path, lines) in shown {
        text += &format!("mod {path}\n");
        for line in lines {
            text += &line;
            text.push('\n');
        }
    }
    text
}

/// The public modules, those with short paths first; each once.
fn modules(crates: &Crates) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut known: BTreeSet<ModulePath> = BTreeSet::new();
    let root = vec!["treemind".to_owned()];
    let mut pending = VecDeque::from([Seen {
        shown: root.clone(),
        module: root,
    }]);
    while let Some(seen) = pending.pop_front() {
        if !known.insert(seen.module.clone()) {
            continue;
        }
        for name in crates.public_names(&seen.module, 0) {
            if let Some(Target::Module(module)) = crates.name_in(&seen.module, &name, 0) {
                let shown = [&seen.shown[..], &[name]].concat();
                pending.push_back(Seen { shown, module });
            }
        }
        all.push(seen);
    }
    all
}

/// The public names of a module that stand for items.
fn names(crates: &Crates, module: &ModulePath) -> Vec<(String, Target)> {
    let names = crates.public_names(module, 0).into_iter();
    names
        .filter_map(|name| match crates.name_in(module, &name, 0)? {
            Target::Module(_) => None,
            target => Some((name, target)),
        })
        .collect()
}

fn details(crates: &Crates, target: &Target) -> Vec<String> {
    let Target::Item(module, name) = target else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for listed in &crates.modules[module].items[name] {
        lines.push(format!("  {}", listed.line));
        lines.extend(listed.derived.iter().map(|name| format!("    impl {name}")));
        let mut members = crates.members.get(target).into_iter().flatten().peekable();
        while let Some((_, line)) = members.next_if(|(_, line)| line.starts_with("impl ")) {
            lines.push(format!("    {line}"));
        }
        lines.extend(listed.parts.iter().map(|part| format!("    {part}")));
        lines.extend(members.map(|(_, line)| format!("    {line}")));
    }
    lines
}
