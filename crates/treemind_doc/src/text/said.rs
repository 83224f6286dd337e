//! Sentences for people, as data, so that whoever shows them can say them in another language.

use crate::code::Code;
use crate::text::visible::visible_line;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use treemind_core::{NodeChange, Type};

/// What is wrong with a document, what an edit is called, why it is refused, and the like.
///
/// It is written in English ([`Display`](fmt::Display)). Who speaks another language has a sentence of their own for each
/// that [`said!`](crate::said) makes, with the same holes.
///
/// ```
/// use treemind_doc::{Said, said};
///
/// let why = said!("`{}` takes no children", "wait");
/// assert_eq!(why.to_string(), "`wait` takes no children");
/// let Said::Sentence { says, with } = why else { unreachable!() };
/// assert_eq!((says, &with[..]), ("`{}` takes no children", &["wait".into()][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
#[non_exhaustive]
pub enum Said {
    /// A text that is the same in each language, such as a name, or one that comes from elsewhere.
    Text(String),
    /// A sentence.
    Sentence {
        /// The sentence in English, with a hole, `{}`, for each that is put into it.
        says: &'static str,
        /// What is in the holes.
        with: Vec<Said>,
    },
}

/// A [`Said`](crate::Said) from an English sentence, with what is in its holes. It does not compile if their number
/// differs.
#[macro_export]
macro_rules! said {
    ($says:literal $(, $with:expr)* $(,)?) => {{
        const _: () = assert!(
            $crate::Said::holes($says) == <[&str]>::len(&[$(stringify!($with)),*]),
            "as many values as holes"
        );
        $crate::Said::sentence($says, &[$(&$with),*])
    }};
}

/// What can be in a hole of a sentence: all that a [`Said`] can be made of.
pub trait Sayable {
    /// It, as what is said.
    fn said(&self) -> Said;
}

impl<T: Clone> Sayable for T
where
    Said: From<T>,
{
    fn said(&self) -> Said {
        Said::from(self.clone())
    }
}

impl Said {
    /// A sentence of a table, without holes.
    pub const fn plain(says: &'static str) -> Self {
        Self::Sentence {
            says,
            with: Vec::new(),
        }
    }

    /// A sentence, with what is in its holes. This is one function for all sentences, because a program has more than a
    /// thousand of them.
    #[doc(hidden)]
    pub fn sentence(says: &'static str, with: &[&dyn Sayable]) -> Self {
        Self::Sentence {
            says,
            with: with.iter().map(|one| one.said()).collect(),
        }
    }

    /// The same with what is in its holes [made visible](crate::visible_line), for terminals.
    pub fn visible(&self) -> Self {
        match self {
            Self::Text(text) => Self::Text(visible_line(text).into_owned()),
            Self::Sentence { says, with } => Self::Sentence {
                says,
                with: with.iter().map(Self::visible).collect(),
            },
        }
    }

    /// How many holes a sentence has.
    pub const fn holes(says: &str) -> usize {
        let bytes = says.as_bytes();
        let (mut at, mut holes) = (1, 0);
        while at < bytes.len() {
            if bytes[at - 1] == b'{' && bytes[at] == b'}' {
                holes += 1;
            }
            at += 1;
        }
        holes
    }
}

impl fmt::Display for Said {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Sentence { says, with } => {
                let mut with = with.iter();
                for (nth, part) in says.split("{}").enumerate() {
                    if nth > 0
                        && let Some(one) = with.next()
                    {
                        one.fmt(out)?;
                    }
                    out.write_str(part)?;
                }
                Ok(())
            }
        }
    }
}

/// What it says in English.
impl PartialEq<str> for Said {
    fn eq(&self, other: &str) -> bool {
        let english = self.to_string();
        english == other
    }
}

/// What it says in English.
impl PartialEq<&str> for Said {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl From<String> for Said {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Said> for Said {
    fn from(said: &Said) -> Self {
        said.clone()
    }
}

/// Words that stand in sentences come from tables, and each is a sentence, too.
impl From<NodeChange> for Said {
    fn from(change: NodeChange) -> Self {
        Self::plain(change.as_str())
    }
}

macro_rules! texts {
    ($($of:ty),*) => {
        $(impl From<$of> for Said {
            fn from(text: $of) -> Self {
                Self::Text(text.to_string())
            }
        })*
    };
}

texts!(
    &str,
    &String,
    Cow<'_, str>,
    &Cow<'_, str>,
    &&str,
    char,
    i32,
    u32,
    usize,
    &usize,
    u64,
    i64,
    i128,
    &i128,
    f64,
    Type,
    Code,
    &Code
);
