//! Random cases are rich enough in keys: who owns them, where their values come from, and which nodes use them.

use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::Key;
use treemind_core::{KeyId, Kind};
use treemind_testkit::compare::case_of_seed;
use treemind_testkit::generate::Op;

/// What a key is for nodes that use it: who owns it, and how often it is computed.
fn nature(key: &Key) -> String {
    match &key.sensed {
        None => format!("{:?}", key.scope),
        Some(sensed) if sensed.interval_secs.is_some() => "computed now and then".to_owned(),
        Some(_) => "computed".to_owned(),
    }
}

#[test]
fn keys_of_every_kind_come_up_and_nodes_are_about_them() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups = BTreeSet::new();
    for seed in 0..6_000 {
        let case = case_of_seed(seed, 3, 20);
        let key = |key: KeyId| nature(&case.parts.keys[key.index()]);
        let behaviour = case.behaviour().expect("a case's parts fit together");
        for node in behaviour.nodes() {
            let about = match &node.kind {
                Kind::Changed { key: of } | Kind::OnChange { key: of, .. } => vec![*of],
                Kind::Log { .. } => node.kind.logged().collect(),
                Kind::Set { assigns } => assigns.iter().map(|assign| assign.key).collect(),
                Kind::Check { expr } => {
                    let mut keys = Vec::new();
                    expr.for_each_key(&mut |key| keys.push(key));
                    keys
                }
                _ => Vec::new(),
            };
            for of in about {
                let what = format!("{} {}", node.kind.keyword(), key(of));
                *seen.entry(what).or_default() += 1;
            }
        }
        for op in case.steps.iter().flat_map(|step| &step.ops) {
            match op {
                Op::Group(_, group) => drop(groups.insert(*group)),
                Op::Set(_, of, _) => *seen.entry(format!("host {}", key(*of))).or_default() += 1,
                _ => {}
            }
        }
    }
    for of in ["changed", "on-change", "log", "set", "check", "host"] {
        for nature in [
            "Agent",
            "Group",
            "World",
            "computed",
            "computed now and then",
        ] {
            let count = seen.get(&format!("{of} {nature}")).copied().unwrap_or(0);
            let is_impossible = of == "set" && nature.starts_with("computed");
            assert!(is_impossible != (count >= 10), "{of} {nature}: {count}");
        }
    }
    assert_eq!(groups.into_iter().collect::<Vec<u32>>(), [0, 1, 2, 3]);
}

#[test]
fn leaves_write_lists_of_every_kind_and_add_to_them() {
    let mut written = BTreeMap::new();
    for seed in 0..5_000 {
        let case = case_of_seed(seed, 3, 20);
        for write in &case.writes {
            let key = &case.parts.keys[write.key.index()];
            if key.form.is_list() {
                *written.entry((nature(key), write.adds)).or_insert(0) += 1;
            }
        }
    }
    for nature in ["Agent", "Group", "World"] {
        for adds in [false, true] {
            let count = written.get(&(nature.to_owned(), adds)).copied();
            let count = count.unwrap_or(0);
            assert!(count >= 10, "lists of {nature}, adding {adds}: {count}");
        }
    }
}

/// One agent writes one shared key several times in a tick, with every merge.
#[test]
fn nodes_write_shared_keys_several_times() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..2_600 {
        let case = case_of_seed(seed, 3, 20);
        let behaviour = case.behaviour().expect("a case's parts fit together");
        for node in behaviour.nodes() {
            let Kind::Set { assigns } = &node.kind else {
                continue;
            };
            let last = assigns.last().map(|assign| assign.key);
            let times = assigns.iter().filter(|assign| Some(assign.key) == last);
            if let (Some(last), true) = (last, times.count() > 1) {
                let key = &case.parts.keys[last.index()];
                *seen
                    .entry(format!("{:?} {:?}", key.scope, key.merge))
                    .or_default() += 1;
            }
        }
    }
    for scope in ["Group", "World"] {
        for merge in ["Last", "Add", "Min", "Max"] {
            let count = seen.get(&format!("{scope} {merge}")).copied().unwrap_or(0);
            assert!(count >= 10, "{scope} {merge}: {count}");
        }
    }
}
