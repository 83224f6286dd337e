//! Keys of minds in expressions: `guard.alarm` is the key `alarm` of the guard's mind, and `me.ammo` one of the mind of
//! the one who is steered.
//!
//! Expressions know no such names. Each becomes a key of the document in which expressions are asked, of the same type.

use crate::ids::BodyId;
use crate::map::{Scenario, in_expressions};
use crate::session::Session;
use crate::sweep::SweepError;
use treemind::blackboard::{Held, KeyId, Type, Value};
use treemind::core::behaviour::Form;
use treemind::population::Behaviour;

/// The name of the one who is steered.
const ME: &str = "me";

/// What a key holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Known {
    Unset,
    One(Value),
    List(Vec<Value>),
}

impl Known {
    fn of(held: Held<'_>) -> Self {
        match held {
            Held::One(value) => Self::One(value),
            Held::List(items) => Self::List(items.iter().collect()),
            _ => Self::Unset,
        }
    }
}

/// A key of a mind that expressions name.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// Whose; `None` is the one who is steered.
    who: Option<BodyId>,
    key: String,
    /// As it was written: `guard.alarm`.
    written: String,
    /// What it is called in the document of the expressions.
    pub(super) name: String,
    /// The line that declares it there, without its name.
    declared: String,
}

/// All keys of minds that expressions name.
#[derive(Clone, Debug, Default)]
pub(super) struct Minds(Vec<Watched>);

impl Minds {
    /// The names of the keys, in their order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|watched| watched.name.as_str())
    }

    /// The lines that declare the keys, under their names and under `was_NAME`.
    pub(super) fn declarations(&self) -> String {
        let line = |watched: &Watched| {
            let Watched { name, declared, .. } = watched;
            format!("    key {name} {declared}\n    key was_{name} {declared}\n")
        };
        self.0.iter().map(line).collect()
    }

    /// An expression with names that its document knows.
    pub(super) fn take(
        &mut self,
        text: &str,
        (scenario, session): (&Scenario, &Session),
        players: &[BodyId],
    ) -> Result<String, SweepError> {
        let mut rest = String::with_capacity(text.len());
        let mut at = 0;
        while let Some((word, end)) = next_word(text, &mut at, &mut rest) {
            let key = after_point(&text[end..]);
            let whose = key.and_then(|_| whose(word, scenario));
            let (Some(key), Some(who)) = (key, whose) else {
                rest.push_str(word);
                at = end;
                // What follows a point is a part of a vector.
                if let Some(part) = key {
                    rest.push('.');
                    rest.push_str(part);
                    at += 1 + part.len();
                }
                continue;
            };
            let refused = |why: String| SweepError::Expression(text.to_owned(), why);
            rest.push_str(
                &self
                    .name((word, key), who, session, players)
                    .map_err(refused)?,
            );
            at = end + 1 + key.len();
        }
        Ok(rest)
    }

    /// A message about an expression, with the names as they were written.
    pub(super) fn as_written(&self, error: SweepError, text: &str) -> SweepError {
        let SweepError::Expression(_, why) = error else {
            return error;
        };
        let mut why = why;
        for Watched { name, written, .. } in &self.0 {
            let was = written.replacen('.', ".was_", 1);
            why = why
                .replace(&format!("was_{name}"), &was)
                .replace(name, written);
        }
        SweepError::Expression(text.to_owned(), why)
    }

    /// The name of a key of a mind, which is declared if it is new.
    fn name(
        &mut self,
        (word, key): (&str, &str),
        who: Option<BodyId>,
        session: &Session,
        players: &[BodyId],
    ) -> Result<String, String> {
        let asked: &[BodyId] = match &who {
            Some(who) => std::slice::from_ref(who),
            None => players,
        };
        // A key may be called `was_…` itself.
        let (behaviour, _) = mind_of(session, asked[0]).ok_or_else(|| without_mind(word))?;
        let before = key.strip_prefix("was_");
        let (key, was) = match (behaviour.key_id(key), before) {
            (None, Some(before)) => (before, "was_"),
            _ => (key, ""),
        };
        let known = self.0.iter();
        let mut known = known.filter(|one| one.who == who && one.key == key);
        if let Some(known) = known.next() {
            return Ok(format!("{was}{}", known.name));
        }
        let mut declared = None;
        for one in asked {
            let (behaviour, _) = mind_of(session, *one).ok_or_else(|| without_mind(word))?;
            let id = behaviour
                .key_id(key)
                .ok_or_else(|| without_key(behaviour, (word, key)))?;
            let line = declaration(behaviour, id);
            if *declared.get_or_insert_with(|| line.clone()) != line {
                return Err(format!(
                    "the key `{key}` is declared differently by the minds of those who are steered"
                ));
            }
        }
        let mut name = format!("{word}_{key}");
        let is_taken = |name: &str| {
            let bare = name.strip_prefix("was_").unwrap_or(name);
            super::facts::FACTS.iter().any(|fact| fact.name == bare)
                || self.0.iter().any(|one| one.name == bare)
        };
        while is_taken(&name) {
            name.push('_');
        }
        self.0.push(Watched {
            who,
            key: key.to_owned(),
            written: format!("{word}.{key}"),
            name: name.clone(),
            declared: declared.unwrap_or_default(),
        });
        Ok(format!("{was}{name}"))
    }

    /// What the keys hold now. While somebody is not there, what it last knew.
    pub(super) fn values(&self, session: &Session, player: BodyId, before: &[Known]) -> Vec<Known> {
        let value = |(place, watched): (usize, &Watched)| {
            let who = watched.who.unwrap_or(player);
            let held = mind_of(session, who).and_then(|(behaviour, nth)| {
                let (key, agent) = (behaviour.key_id(&watched.key)?, session.agent_of(who)?);
                Some(Known::of(session.population_at(nth).held(agent, key)))
            });
            held.or_else(|| before.get(place).cloned())
                .unwrap_or(Known::Unset)
        };
        self.0.iter().enumerate().map(value).collect()
    }
}

/// The behaviour of a mind, and its position.
fn mind_of(session: &Session, who: BodyId) -> Option<(&Behaviour, usize)> {
    let minded = session.minded();
    let (_, nth) = minded.iter().find(|(other, _)| *other == who)?;
    let behaviour = session.population_at(*nth).program().behaviour();
    Some((behaviour, *nth))
}

fn without_mind(word: &str) -> String {
    match word {
        ME => "`me` has no mind whose keys it could have: only an actor that the map marks as `steered` keeps its mind"
            .to_owned(),
        word => format!("`{word}` has no mind, so it has no keys"),
    }
}

fn without_key(behaviour: &Behaviour, (word, key): (&str, &str)) -> String {
    let keys = behaviour.keys().iter();
    let known: Vec<&str> = keys.map(|key| key.name.as_str()).collect();
    format!(
        "the mind of `{word}` has no key `{key}`; there are: {}",
        known.join(", ")
    )
}

/// Whom a name means: `None` is the one who is steered.
fn whose(word: &str, scenario: &Scenario) -> Option<Option<BodyId>> {
    if word == ME {
        return Some(None);
    }
    let mut actors = scenario.actors.iter();
    let nth = actors.position(|(traits, _)| in_expressions(&traits.name) == word)?;
    Some(Some(BodyId(nth as u16)))
}

/// The next word of an expression with its end; what is before it goes to `out`.
fn next_word<'t>(text: &'t str, at: &mut usize, out: &mut String) -> Option<(&'t str, usize)> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    while let Some(first) = text[*at..].chars().next() {
        let rest = &text[*at..];
        let length = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        if length > 0 && !first.is_ascii_digit() {
            return Some((&rest[..length], *at + length));
        }
        // Text in quotes, a number, or a sign.
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            first => length.max(first.len_utf8()),
        };
        out.push_str(&rest[..length]);
        *at += length;
    }
    None
}

/// The word right behind a point.
fn after_point(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('.')?;
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let length = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    let word = &rest[..length];
    let is_word = word.starts_with(|char: char| char.is_alphabetic() || char == '_');
    is_word.then_some(word)
}

/// The line of a document that declares a key of the same type and form, without its name.
fn declaration(behaviour: &Behaviour, key: KeyId) -> String {
    let about = behaviour.key(key);
    let mut line = format!("type={}", about.ty.keyword());
    match about.form {
        Form::One => {}
        Form::Optional { .. } => line.push_str(" optional=#true"),
        Form::List { bound, .. } => line.push_str(&format!(" list={bound}")),
    }
    if let Type::Enum(list) = about.ty {
        let values = behaviour.enumeration(list).values.iter();
        let values: Vec<String> = values.map(|value| format!("\"{value}\"")).collect();
        line.push_str(&format!(" {{ value {}; }}", values.join(" ")));
    }
    line
}
