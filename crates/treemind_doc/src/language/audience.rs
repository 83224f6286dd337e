//! Who receives the event of an `emit`.

use super::forms::Choice;
use super::property::{Form, Property, Shape, Shaped, Words};
use super::read::{Read, Show};
use crate::code::Code;
use crate::names;
use crate::said;
use crate::suggest;
use crate::syntax::Value as Written;
use treemind_core::behaviour::Audience;
use treemind_core::{Expr, Type};

pub(crate) static AUDIENCE: Property<Receiver> = Property::new(
    "to",
    Receiver,
    "who receives it when the step ends: the agent itself (`self`), the others in its group or in the world (`group`, `world`), or the agent in a key (`\"{key}\"`)",
);

static MANY_OR_SELF: Choice<Option<Audience>> = Choice::or(
    &[
        ("self", Some(Audience::Sender)),
        ("group", Some(Audience::Group)),
        ("world", Some(Audience::World)),
    ],
    None,
);

/// Who receives an event, if anybody does.
#[derive(Clone, Copy)]
pub(crate) struct Receiver;

impl Shaped for Receiver {
    fn shape(&'static self) -> Shape {
        Shape::WordsOrKey(&MANY_OR_SELF)
    }
}

impl Form for Receiver {
    type Value = Option<Audience>;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Option<Audience>> {
        let Some(entry) = from.property(name) else {
            return Some(None);
        };
        let given = match &entry.value {
            Written::Bad => return None,
            Written::Text(text) => Some(text.value.as_str()),
            _ => None,
        };
        if let Some(meaning) = given.and_then(|given| MANY_OR_SELF.meaning(given)) {
            return Some(meaning);
        }
        if given.is_some_and(|given| names::braced(given).is_some())
            && let Expr::Key(key, _) = from.number(entry, Type::Entity, &said!("the agent"))?
        {
            return Some(Some(Audience::Agent(key)));
        }
        let words = MANY_OR_SELF.words();
        let near = given.and_then(|given| suggest::nearest(given, words.iter().copied()));
        let message = said!(
            "`{}` must be `self`, `group`, `world` or a key in braces",
            name
        );
        let help = match near {
            Some(near) => suggest::meant(near),
            None => said!(
                "to send it to one agent, write a key of type `entity`: `{}=\"{enemy}\"`",
                name
            ),
        };
        from.sink()
            .error(Code::BadChoice, entry.value_span.clone(), message)
            .with_help(help);
        None
    }

    fn show(&self, name: &str, value: &Option<Audience>, to: &mut (dyn Show + '_)) {
        if let Some(Audience::Agent(key)) = value {
            let key = to.behaviour().key(*key).name.clone();
            to.property(name, &format!("\"{{{key}}}\""));
        } else {
            MANY_OR_SELF.show(name, value, to);
        }
    }
}
