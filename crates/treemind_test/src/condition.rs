//! The conditions of a test, asked between ticks.
//!
//! Each becomes a separate behaviour with the same keys, which answers success if the condition holds. So it means
//! what it means in a tree.

use crate::aside::Aside;
use crate::failure::Failure;
use crate::names::Names;
use crate::player::Seen;
use treemind_core::{Behaviour, Held, KeyId, Population, Value};
use treemind_doc::said;
use treemind_doc::testing::{Action, Condition, Question, RuleKind, Test};

/// All conditions of a test.
pub(crate) struct Conditions {
    /// In the order of their places in the document.
    all: Vec<(usize, Asked)>,
}

/// One condition.
struct Asked {
    node: Aside,
    questions: Vec<(KeyId, Question, String)>,
}

impl Conditions {
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(crate) fn new(test: &Test, behaviour: &Behaviour) -> Result<Self, Box<Failure>> {
        let expected = test.steps.iter().filter_map(|step| {
            let Action::Expect(expected) = &step.action else {
                return None;
            };
            expected.that.as_ref()
        });
        let rules = test.rules.iter().filter_map(|rule| match &rule.kind {
            RuleKind::Always(condition) | RuleKind::Eventually(condition, _) => Some(condition),
            RuleKind::Never(_) => None,
            _ => treemind_core::unlisted(&rule.kind),
        });
        let mut all = Vec::new();
        for condition in expected.chain(rules) {
            let asked = Asked::new(test, condition, behaviour).map_err(|problem| {
                let wanted = said!("a condition that can be asked from outside");
                let at = line_of(test, condition.span.start);
                Box::new(Failure::new(at, wanted, problem.into()))
            })?;
            all.push((condition.span.start, asked));
        }
        all.sort_by_key(|(at, _)| *at);
        Ok(Self { all })
    }

    /// Whether a condition holds now, or why it cannot be said.
    pub(crate) fn holds(
        &mut self,
        condition: &Condition,
        agent: &Population,
        names: &Names,
        seen: &Seen,
    ) -> Result<bool, String> {
        let at = self
            .all
            .binary_search_by_key(&condition.span.start, |(at, _)| *at);
        match at {
            Ok(at) => self.all[at].1.ask(agent, names, seen),
            Err(_) => Err("the condition belongs to another test".to_owned()),
        }
    }

    /// The values of the keys that a condition reads.
    pub(crate) fn values(&self, condition: &Condition, agent: &Population) -> Vec<String> {
        let behaviour = agent.program().behaviour();
        let all = self.all.iter();
        let mut all = all.filter(|(at, _)| *at == condition.span.start);
        let keys = all.next().map_or(&[][..], |(_, asked)| asked.node.keys());
        let shown = keys.iter().map(|(key, _)| {
            let value = behaviour.display_held(held(agent, *key));
            format!("{} = {value}", behaviour.key(*key).name)
        });
        shown.collect()
    }
}

/// How many characters of a line are shown: a table of a thousand rows may be written on one.
const MOST_SHOWN: usize = 160;
/// How many of them are before the place that is meant.
const SHOWN_BEFORE: usize = 40;

/// A line of the document and its text; of a long line, the part around the place.
pub(crate) fn line_of(test: &Test, offset: usize) -> (usize, String) {
    test.source.excerpt(offset, (SHOWN_BEFORE, MOST_SHOWN))
}

/// What a key holds, shared or not.
pub(crate) fn held(agent: &Population, key: KeyId) -> Held<'_> {
    match agent.program().behaviour().key(key).scope {
        treemind_core::behaviour::Scope::Agent => agent.held(0, key),
        _ => agent.shared_held(key, agent.group(0)),
    }
}

impl Asked {
    fn new(test: &Test, condition: &Condition, agent: &Behaviour) -> Result<Self, String> {
        let behaviour = test.condition(condition)?;
        let mut questions = Vec::new();
        for (question, name) in &test.questions {
            let key = behaviour.key_id(&Test::key_of(*question, name));
            questions.extend(key.map(|key| (key, *question, name.clone())));
        }
        let is_asked = |key: KeyId| questions.iter().any(|(known, ..)| *known == key);
        Ok(Self {
            node: Aside::new(behaviour, agent, is_asked)?,
            questions,
        })
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn ask(&mut self, agent: &Population, names: &Names, seen: &Seen) -> Result<bool, String> {
        for (key, question, name) in &self.questions {
            let answer = match question {
                Question::Active => seen.is_active(name, names, agent),
                Question::Ran => seen.ran(name, names),
                _ => treemind_core::unlisted(&question),
            };
            self.node.give(*key, Value::Bool(answer))?;
        }
        self.node.run(|key| held(agent, key))
    }
}
