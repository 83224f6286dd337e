//! What the conditions of tests ask beyond keys: whether a node or state is running, or ran.

use super::ast::AstId;
use super::check::{Built, Typing};
use crate::syntax::Span;
use treemind_core::behaviour::{Form, Key, Merge, Scope};
use treemind_core::{Expr, KeyId, Type, Value};

/// A question about a node or state after a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// `active(NAME)`: it is running.
    Active,
    /// `ran(NAME)`: it was ticked.
    Ran,
}

impl Question {
    const ALL: [(&str, Question); 2] = [("active", Question::Active), ("ran", Question::Ran)];

    /// The question that a function asks.
    pub(crate) fn named(function: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(name, _)| *name == function).map(|(_, one)| one)
    }
}

/// A question in the conditions of a test. A key of type `bool` holds its answer.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    /// The node or state.
    pub(crate) name: String,
    /// Where the name is written first.
    pub(crate) span: Span,
    key: KeyId,
}

impl Typing<'_> {
    /// `active(NAME)`; the name may contain `-` and `.`.
    pub(super) fn question(&mut self, question: Question, arg: AstId) -> Built<Expr> {
        let at = self.ast.nodes[arg].span.clone();
        let name = self.fragment.text[at.clone()].trim().to_owned();
        let span = self.fragment.span(&at);
        let asked = self.scope.asked.iter().flatten();
        let mut alike = asked.filter(|one| one.question == question && one.name == name);
        if let Some(known) = alike.next() {
            return Ok(Expr::Key(known.key, Type::Bool));
        }
        let key = self.scope.add_key(Key {
            name: format!("{question:?}({name})"),
            ty: Type::Bool,
            default: Value::Bool(false),
            form: Form::One,
            scope: Scope::Agent,
            merge: Merge::Last,
            sensed: None,
            heard: None,
            mates: false,
            doc: None,
        });
        if let Some(asked) = &mut self.scope.asked {
            asked.push(Asked {
                question,
                name,
                span,
                key,
            });
        }
        Ok(Expr::Key(key, Type::Bool))
    }
}
