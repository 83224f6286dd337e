//! Tests that documents contain. The crate `treemind_test` runs them.
//!
//! ```
//! use treemind_doc::testing::{Action, Subject};
//!
//! let document = treemind_doc::Document::parse(r#"
//!     leaves { condition see-enemy; action attack; action patrol; }
//!     tree guard {
//!         reactive-selector {
//!             sequence { condition see-enemy; action attack; }
//!             action patrol
//!         }
//!     }
//!     test "attacks an enemy" tree=guard {
//!         leaf see-enemy answers="F S"
//!         tick 2
//!         expect running active=attack
//!     }"#, "guard.kdl");
//! let [test] = document.tests() else { panic!("one test") };
//! assert_eq!(test.subject, Subject::Tree("guard".to_owned()));
//! assert!(matches!(test.steps[1].action, Action::Tick(2, None)));
//! ```

pub use crate::check::{
    Action, ByKeys, Case, Choice, Condition, Expectation, Random, Rule, RuleKind, Step, Subject,
    Test, Values,
};
pub use crate::expression::Question;

use crate::check::DefinitionKind;
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::syntax::write;
use treemind_core::{Behaviour, Value};

impl Document {
    /// The tests, in the order of the text; those of imported files belong to them. A document with errors may have
    /// fewer than its text.
    pub fn tests(&self) -> &[Test] {
        &self.checked.tests
    }

    /// What the tests of a subject run.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour).
    pub fn behaviour_of(&self, subject: &Subject) -> Result<Behaviour, Diagnostics> {
        match subject {
            Subject::Tree(name) => self.behaviour(Some(name)),
            Subject::Machine(name) => self.machine(name),
            Subject::Decision(name) => self.decision(name),
            Subject::Planner(name) => self.planner(name),
            Subject::Archetype(name) => self.behaviour_for(name),
        }
    }

    /// What a test runs: that of its subject, in which steps of planners write what they give if the test says so.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour).
    pub fn behaviour_of_test(&self, test: &Test) -> Result<Behaviour, Diagnostics> {
        if !test.as_planned {
            return self.behaviour_of(&test.subject);
        }
        let archetypes = self.checked.archetypes.iter();
        let mut archetypes = archetypes
            .filter(|one| matches!(&test.subject, Subject::Archetype(name) if one.name == *name));
        let archetype = archetypes.next();
        let definition = self.definition_of(&test.subject);
        let (what, name) = match &definition {
            Subject::Tree(name) => (DefinitionKind::Tree, name),
            Subject::Machine(name) => (DefinitionKind::Machine, name),
            Subject::Decision(name) => (DefinitionKind::Decision, name),
            Subject::Planner(name) => (DefinitionKind::Planner, name),
            // There is none with this name, which this says.
            Subject::Archetype(_) => return self.behaviour_of(&test.subject),
        };
        let given = archetype.map_or(&[][..], |one| &one.given);
        let behaviour = self.built((what, name), given, true)?;
        Ok(match archetype {
            Some(one) => behaviour.with_interval(one.interval),
            None => behaviour,
        })
    }

    /// What [`behaviour`](Self::behaviour) runs when no tree is named; `None` if the document does not say it.
    pub fn main_subject(&self) -> Option<Subject> {
        let (what, name) = self.main_definition()?;
        Some(Subject::new(what, name.to_owned()))
    }

    /// The tree, machine or decision tree of a subject: for an archetype, what it runs.
    pub fn definition_of(&self, subject: &Subject) -> Subject {
        let Subject::Archetype(name) = subject else {
            return subject.clone();
        };
        let archetypes = self.checked.archetypes.iter();
        let mut runs = archetypes.filter(|one| one.name == *name);
        runs.next().map_or(subject.clone(), |one| {
            Subject::new(one.runs.0, one.runs.1.clone())
        })
    }

    /// Everything that can run alone and is not inside something else of the document, or in a cycle of such: with
    /// these, everything in the document runs. Decision trees of transitions are inside their machines.
    pub fn outermost(&self) -> Vec<Subject> {
        let mut all = Vec::new();
        for what in DefinitionKind::ALL {
            let definitions = self.checked.definitions[what as usize].iter();
            let outer = definitions.filter(|one| !one.is_held && one.refusal.is_empty());
            all.extend(outer.map(|one| Subject::new(what, one.name.clone())));
        }
        all
    }
}

/// A name as documents write it: in quotes where it needs them.
pub fn word_text(name: &str) -> String {
    let mut out = String::new();
    write::word(name, &mut out);
    out
}

/// A value as documents write it: one of an enumeration by its name.
pub fn value_text(behaviour: &Behaviour, value: Value) -> String {
    if let Value::Enum(..) = value {
        return word_text(&behaviour.display_value(value));
    }
    let mut out = String::new();
    write::plain(value, &mut out);
    out
}
