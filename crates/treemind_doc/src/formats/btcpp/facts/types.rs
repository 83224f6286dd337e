//! The types of names: what scripts calculate with is a number, in all trees that hand it to one another.

use super::{Call, Facts, TreeFacts};
use std::collections::{HashMap, HashSet};

/// A name, with its tree.
type Place = (String, String);

/// Keeps a name among those of its tree, or among those that are used as `@name`.
pub(super) fn note(name: &str, global: &mut HashSet<String>, own: &mut HashSet<String>) {
    match name.strip_prefix('@') {
        Some(name) => global.insert(name.to_owned()),
        None => own.insert(name.to_owned()),
    };
}

/// Which names hold the same.
#[derive(Default)]
struct Edges {
    /// In both directions.
    beside: HashMap<Place, Vec<Place>>,
    /// From a name to those that get its value.
    onward: HashMap<Place, Vec<Place>>,
}

impl Edges {
    /// Two names of one key.
    fn join(&mut self, one: Place, other: Place) {
        self.lead(one.clone(), other.clone());
        self.onward.entry(other).or_default().push(one);
    }

    /// One key gets the value of another one.
    fn lead(&mut self, from: Place, to: Place) {
        let forth = self.onward.entry(from.clone()).or_default();
        forth.push(to.clone());
        let forth = self.beside.entry(from.clone()).or_default();
        forth.push(to.clone());
        self.beside.entry(to).or_default().push(from);
    }
}

impl Facts {
    /// Whether a tree has a name.
    #[cfg(feature = "convert")]
    pub(in super::super) fn has_key(&self, tree: &str, raw: &str) -> bool {
        self.trees
            .get(tree)
            .is_some_and(|tree| tree.keys.known.contains(raw))
    }

    /// What a name inside a called tree is called by its caller: `nth` is the number of the call in it. `None` for a name
    /// that the caller does not know.
    #[cfg(feature = "convert")]
    pub(in super::super) fn of_caller(
        &self,
        (tree, nth): (&str, usize),
        raw: &str,
    ) -> Option<String> {
        let call = self.trees.get(tree)?.calls.get(nth)?;
        if let Some((key, _)) = call.bound.iter().find(|(_, port)| port == raw) {
            return Some(key.clone());
        }
        let is_given = call.given.iter().any(|port| port == raw);
        (!is_given && call.rest.takes(raw)).then(|| raw.to_owned())
    }

    /// A name that scripts calculate with is a number in all trees that hand it to one another.
    pub(super) fn follow_numbers(&mut self) {
        let mut edges = Edges::default();
        let is_whole = self.given_whole();
        let mut pending: Vec<(String, String)> = self.numbers.iter().cloned().collect();
        let global = |key: &String| (String::new(), key.clone());
        let mut perhaps: Vec<_> = self.perhaps.iter().map(global).collect();
        let mut texts: Vec<_> = self.of_text.iter().map(global).collect();
        let mut summed: HashMap<(String, String), Vec<(String, String)>> = HashMap::new();
        let mut counts = Vec::new();
        for (name, tree) in &self.trees {
            pending.extend(tree.numbers.iter().map(|key| (name.clone(), key.clone())));
            counts.extend(tree.counts.iter().map(|key| (name.clone(), key.clone())));
            perhaps.extend(tree.perhaps.iter().map(|key| self.place(name, key)));
            texts.extend(tree.of_text.iter().map(|key| self.place(name, key)));
            for (to, from) in &tree.summed {
                let (to, from) = (self.place(name, to), self.place(name, from));
                summed.entry(from).or_default().push(to);
            }
            for (to, from) in &tree.copied {
                edges.lead(self.place(name, from), self.place(name, to));
            }
            for (to, from) in &tree.whole_if {
                let to = self.place(name, to);
                for from in from.iter().filter(|_| is_whole.contains(&to)) {
                    edges.lead(self.place(name, from), to.clone());
                }
            }
            for call in &tree.calls {
                texts.extend(
                    call.texts
                        .iter()
                        .map(|port| (call.tree.clone(), port.clone())),
                );
            }
        }
        self.shared(&mut edges);
        let Edges { beside, onward } = edges;
        let spread = |pending: Vec<Place>| self.spread(pending, &beside);
        let flow = |pending: Vec<Place>| self.spread(pending, &onward);
        // What is a text cannot be added as a number.
        let firm = spread(pending.clone());
        let mut mixed = spread(texts.clone());
        mixed.retain(|place| firm.contains(place));
        let mut found = HashSet::new();
        while let Some(place) = texts.pop() {
            if !firm.contains(&place) && found.insert(place.clone()) {
                texts.extend(beside.get(&place).into_iter().flatten().cloned());
                texts.extend(summed.get(&place).into_iter().flatten().cloned());
            }
        }
        pending.extend(perhaps.into_iter().filter(|place| !found.contains(place)));
        let mut numbers = spread(pending);
        let mut counts = spread(counts);
        // A number that is only ever given whole numbers stays one.
        let (mut whole, mut computed, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let mut fractions: Vec<_> = self.fractions.iter().map(global).collect();
        whole.extend(self.whole.iter().map(global));
        computed.extend(self.computed.iter().map(global));
        other.extend(self.other.iter().map(global));
        for (name, tree) in &self.trees {
            whole.extend(tree.whole.iter().map(|key| (name.clone(), key.clone())));
            computed.extend(tree.computed.iter().map(|key| (name.clone(), key.clone())));
            let calculated = tree.whole_if.iter().map(|(to, _)| to);
            let calculated = calculated.map(|to| self.place(name, to));
            computed.extend(calculated.filter(|to| !is_whole.contains(to)));
            other.extend(tree.other.iter().map(|key| (name.clone(), key.clone())));
            fractions.extend(tree.fractions.iter().map(|key| self.place(name, key)));
            for call in &tree.calls {
                let place = |port: &String| (call.tree.clone(), port.clone());
                whole.extend(call.whole.iter().map(place));
                other.extend(call.literals.iter().map(place));
                let is_fraction = |port: &&String| !call.texts.contains(port);
                computed.extend(call.literals.iter().filter(is_fraction).map(place));
            }
        }
        let (mut whole, computed, other) = (flow(whole), flow(computed), flow(other));
        let fractions = flow(fractions);
        self.turned = whole.clone();
        // What only ever gets numbers is one.
        let is_mere = |place: &&(String, String)| {
            let others = [&found, &mixed, &other, &whole, &counts];
            !others.iter().any(|others| others.contains(*place))
        };
        numbers.extend(fractions.iter().filter(is_mere).cloned());
        self.loose = fractions;
        self.loose.extend(other.iter().cloned());
        let is_other = |place: &(String, String)| other.contains(place) || computed.contains(place);
        whole.retain(|place| numbers.contains(place) && !is_other(place));
        numbers.retain(|place| !whole.contains(place));
        // What may be a text, or get a fraction, is made a whole number where it counts. Whatever else counts is whole.
        counts.retain(|place| !found.contains(place));
        numbers.extend(counts.extract_if(|place| computed.contains(place)));
        numbers.retain(|place| !counts.contains(place));
        counts.extend(whole);
        numbers.retain(|place| !mixed.contains(place));
        counts.retain(|place| !mixed.contains(place));
        // The literal of a call is there first, so the key keeps its type.
        let mut firm = self.begin_whole(&other);
        firm.retain(|place| !mixed.contains(place) && !found.contains(place));
        let is_number = |place: &Place| numbers.contains(place) || counts.contains(place);
        firm.retain(|place| is_number(place) || computed.contains(place));
        numbers.retain(|place| !firm.contains(place));
        counts.extend(firm);
        self.there = self.there_at_first();
        self.mixed = mixed;
        self.counts = counts;
        self.texts = found;
        self.numbers = numbers;
    }

    /// What calls pass to the trees that they call is the same in both.
    fn shared(&self, edges: &mut Edges) {
        for (name, tree) in &self.trees {
            for call in &tree.calls {
                for (key, port) in &call.bound {
                    edges.join(self.place(name, key), (call.tree.clone(), port.clone()));
                }
                if let Some(held) = self.trees.get(&call.tree) {
                    for key in held.handed(call) {
                        edges.join(self.place(name, key), (call.tree.clone(), key.clone()));
                    }
                }
            }
        }
    }

    /// These names, and all to which they lead.
    fn spread(
        &self,
        mut pending: Vec<Place>,
        edges: &HashMap<Place, Vec<Place>>,
    ) -> HashSet<Place> {
        let mut found: HashSet<Place> = HashSet::new();
        while let Some((tree, key)) = pending.pop() {
            let place = self.place(&tree, &key);
            if found.insert(place.clone()) {
                pending.extend(edges.get(&place).into_iter().flatten().cloned());
            }
        }
        found
    }

    /// The names that get a whole number as it is written, also from other names, or that say how often something runs.
    fn given_whole(&self) -> HashSet<Place> {
        let (mut edges, whole) = self.beginning(
            &self.whole,
            |tree| tree.whole.iter().chain(&tree.counts).collect(),
            |call| call.whole.iter().collect(),
        );
        for (name, tree) in &self.trees {
            for (to, from) in &tree.copied {
                edges.lead(self.place(name, from), self.place(name, to));
            }
        }
        self.spread(whole, &edges.onward)
    }

    /// Which names are shared, and names with which a search begins: of the keys that all trees see, of those of each tree,
    /// and of the ports of each call.
    fn beginning<'f>(
        &'f self,
        globals: &HashSet<String>,
        of_tree: impl Fn(&'f TreeFacts) -> Vec<&'f String>,
        of_call: impl Fn(&'f Call) -> Vec<&'f String>,
    ) -> (Edges, Vec<Place>) {
        let mut edges = Edges::default();
        self.shared(&mut edges);
        let global = |key: &String| (String::new(), key.clone());
        let mut places: Vec<Place> = globals.iter().map(global).collect();
        for (name, tree) in &self.trees {
            places.extend(of_tree(tree).into_iter().map(|key| self.place(name, key)));
            for call in &tree.calls {
                let ports = of_call(call).into_iter();
                places.extend(ports.map(|port| (call.tree.clone(), port.clone())));
            }
        }
        (edges, places)
    }

    /// The keys that begin as a whole number, and the ports that do so wherever their trees are called.
    fn begin_whole(&self, other: &HashSet<Place>) -> HashSet<Place> {
        let mut edges = Edges::default();
        self.shared(&mut edges);
        let (mut bad, mut whole) = (Vec::new(), Vec::new());
        let mut begun = HashSet::new();
        for (name, tree) in self.trees.iter().filter(|_| !self.unsets_any) {
            // A key of the root may be there long before a tree that is called begins.
            let is_main = self.main.as_deref() == Some(name);
            let is_own = |key: &&String| !key.starts_with('@') || is_main;
            let own = tree.begun.iter().filter(|key| !tree.ports.contains(*key));
            let own = own.filter(is_own);
            begun.extend(own.map(|key| self.place(name, key)));
        }
        begun.retain(|place| !other.contains(place));
        whole.extend(begun.iter().cloned());
        let mut calls: HashMap<&str, usize> = HashMap::new();
        let mut given: HashMap<Place, usize> = HashMap::new();
        for (name, tree) in &self.trees {
            bad.extend(tree.replaced.iter().map(|key| self.place(name, key)));
            for call in &tree.calls {
                *calls.entry(&call.tree).or_default() += 1;
                let place = |port: &String| (call.tree.clone(), port.clone());
                whole.extend(call.whole.iter().map(place));
                bad.extend(call.literals.iter().map(place));
                let bound = call.bound.iter().map(|(key, port)| (key, port));
                let held = self.trees.get(&call.tree);
                let handed = held.into_iter().flat_map(|held| held.handed(call));
                let passed: Vec<_> = bound.chain(handed.map(|key| (key, key))).collect();
                for (key, port) in passed {
                    *given.entry(place(port)).or_default() += 1;
                    let own = self.place(name, key);
                    if !tree.ports.contains(key) && !begun.contains(&own) {
                        bad.push(own);
                    }
                }
                for port in call.whole.iter().chain(&call.literals) {
                    *given.entry(place(port)).or_default() += 1;
                }
            }
        }
        for (place, times) in given {
            let is_main = self.main.as_deref() == Some(&place.0);
            if is_main || calls.get(&*place.0) != Some(&times) {
                bad.push(place);
            }
        }
        let bad = self.spread(bad, &edges.beside);
        let mut whole = self.spread(whole, &edges.beside);
        whole.retain(|place| !bad.contains(place));
        whole
    }

    /// The names that nodes have at their ports, or to which calls give a literal.
    fn there_at_first(&self) -> HashSet<Place> {
        let (edges, there) = self.beginning(
            &self.at_ports,
            |tree| tree.at_ports.iter().collect(),
            |call| call.whole.iter().chain(&call.literals).collect(),
        );
        self.spread(there, &edges.beside)
    }

    /// Whether a name of a tree is there before anything runs.
    pub(in super::super) fn is_there(&self, tree: &str, raw: &str) -> bool {
        self.there.contains(&self.place(tree, raw))
    }

    /// All names that a key of a tree may say: its own, and those that others call `@name` if they are its own, too.
    pub(in super::super) fn said_keys_of(&mut self, tree: &str) -> Vec<(String, String)> {
        let mut keys = self.keys_of(tree);
        if self.main.as_deref() == Some(tree) {
            let globals: Vec<String> = self.globals.iter().cloned().collect();
            let is_own = |raw: &&String| !self.trees[tree].ports.contains(*raw);
            let globals: Vec<&String> = globals.iter().filter(is_own).collect();
            for raw in globals {
                keys.push((raw.clone(), self.names.of(&format!("@{raw}"))));
            }
        }
        keys
    }

    /// Where a name of a tree is declared.
    fn place(&self, tree: &str, key: &str) -> (String, String) {
        match key.strip_prefix('@') {
            Some(global) => (String::new(), global.to_owned()),
            None if self.trees.contains_key(tree) && self.is_global(tree, key) => {
                (String::new(), key.to_owned())
            }
            None => (tree.to_owned(), key.to_owned()),
        }
    }

    /// Whether a name of a tree holds texts.
    pub(in super::super) fn is_text(&self, tree: &str, raw: &str) -> bool {
        self.texts.contains(&self.place(tree, raw))
    }

    /// Whether a name of a tree holds texts, and scripts calculate with it.
    pub(in super::super) fn is_mixed(&self, tree: &str, raw: &str) -> bool {
        self.mixed.contains(&self.place(tree, raw))
    }

    /// Whether others write a name of a tree, or scripts give it fractions.
    pub(in super::super) fn is_loose(&self, tree: &str, raw: &str) -> bool {
        self.loose.contains(&self.place(tree, raw))
    }

    /// Whether scripts give a name of a tree whole numbers, so that a text that they give it becomes one.
    pub(in super::super) fn is_turned(&self, tree: &str, raw: &str) -> bool {
        self.turned.contains(&self.place(tree, raw))
    }

    /// The type of a name of a tree; without a tree, of one that is used as `@name`.
    pub(in super::super) fn type_of(&self, tree: &str, raw: &str) -> &'static str {
        let place = match tree {
            "" => (String::new(), raw.to_owned()),
            _ => self.place(tree, raw),
        };
        match (self.numbers.contains(&place), self.counts.contains(&place)) {
            (true, _) => "double",
            (false, true) => "int",
            _ => "any",
        }
    }
}
