//! What a page says.

use super::{Beside, Caret, Edit, MapEdit, Origin, TestAsk, Versus, Wanted, WhatIf};
use serde::{Deserialize, Deserializer, Serialize};
use treemind_explain::Language;

protocol! {
    /// What a page wants to see, and has seen.
    #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    pub struct Look {
        /// A number that the page chooses; the answer repeats it.
        pub nth: u64,
        /// The file to show, one of those of `hello`; without it, the one that the page has looked at before.
        pub file: String,
        /// The agent to show: its number, from 0.
        pub mind: usize,
        /// The `state` of the last view. The answer waits until the state differs from it.
        pub seen: u64,
        /// The `opened` of the definition that the page has.
        pub opened: u64,
        /// And the agent whose definition that is.
        pub defined: usize,
        /// The page knows what the agent did up to this tick.
        pub since: u64,
        /// And has received so many `fills`.
        pub fills: u64,
        /// The language of reasons and of what happened. A page that changes it asks for everything again.
        #[cfg_attr(feature = "ts", ts(type = "Language"))]
        pub language: Language,
        /// Explain this node, too: its number.
        pub node: Option<usize>,
        /// Only what differs from the view with the state `seen`.
        pub delta: bool,
        /// Which agents to list if there are many: a text in the name, the action or an active state.
        pub find: String,
        /// And a condition over keys.
        #[serde(rename = "where")]
        pub holds: String,
        /// Those first who have done longest what they do.
        pub longest: bool,
        /// Expressions of the document, at most 16, whose values for the agent the page wants to show.
        pub worth: Vec<String>,
        /// The number of the planner that the page shows: with what its steps are for, and why goals have no plan.
        pub planner: Option<usize>,
        /// What a planner would do with other facts.
        pub what_if: Option<WhatIf>,
        /// The `last` of the `hits` that the page has.
        pub hits: u64,
        /// The page edits the document: the `revision` of the sheet that it has, 0 for none.
        pub sheet: Option<u64>,
        /// The page edits the map: the `revision` of the one that it has, 0 for none.
        pub map: Option<u64>,
        /// The page keeps what is not on disk, of whatever document: the `revision` of what it has, 0 for none.
        pub unwritten: Option<u64>,
        /// The page shows the tests: the `revision` of those that it has, 0 for none.
        pub tests: Option<u64>,
        /// The `nth` of the earlier run whose lanes the page has, as this agent has them; 0 for none.
        pub earlier: u64,
    }

    /// A value for a key.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct Write {
        /// The agent.
        pub mind: usize,
        /// The name of the key.
        pub key: String,
        /// The value, as documents write it.
        pub value: String,
    }

    /// An event for an agent.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct Send {
        /// The agent.
        pub mind: usize,
        /// The name of the event.
        pub event: String,
        /// The values of its parameters, in order, as documents write them.
        pub values: Vec<String>,
    }

    /// What has to happen at the line of a breakpoint.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum On {
        /// It begins: it did not run in the tick before.
        #[default]
        Enter,
        /// It answers success or failure; a state is left.
        End,
        /// It answers success.
        Success,
        /// It answers failure.
        Failure,
        /// It is cut off.
        Abort,
    }

    /// A breakpoint to set or to change. What is left out stays as it is.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional_fields))]
    pub struct Break {
        /// The agent in whose definition it is: its number, from 0.
        pub mind: usize,
        /// The breakpoint to change.
        pub id: Option<u64>,
        /// Or the id of the line that it is at.
        pub line: Option<String>,
        /// The text of that line, if the page remembers it from an earlier start of the program.
        pub text: Option<String>,
        /// Or the key.
        pub key: Option<String>,
        /// Or the event.
        pub event: Option<String>,
        /// What has to happen at the line.
        pub on: Option<On>,
        /// A condition over the keys; empty for none.
        #[serde(rename = "if")]
        pub condition: Option<String>,
        /// It stops at this occurrence, counted from 1, and at every later one.
        pub from: Option<u64>,
        /// Only for the agent `mind`, or for all.
        pub only: Option<bool>,
        /// Whether it stops.
        pub is_on: Option<bool>,
        /// What happens is only listed, and the game does not stop.
        pub only_lists: Option<bool>,
    }

    /// A place in a text that somebody has chosen.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Reveal {
        /// The file, as the definition names it.
        pub file: String,
        /// The line, from 1.
        pub line: usize,
        /// The column, from 0, in units of UTF-16.
        pub column: usize,
    }

    /// What a page says.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(tag = "say", rename_all = "lowercase")]
    pub enum Ask {
        /// It wants to hear `hello`.
        Hello,
        /// What a file defines, without opening it.
        Preview {
            /// One of the files of `hello`.
            file: String,
        },
        /// It wants to know which files can be opened now: some may have appeared in the folders.
        Files,
        /// It wants to know the words of the language.
        Words,
        /// It wants to see something.
        Look(Look),
        /// The game plays.
        Play,
        /// The game stands still.
        Pause,
        /// One tick forward.
        Step,
        /// One tick back.
        Back,
        /// To the last tick of a game that runs elsewhere, and with it from there.
        Follow,
        /// To a tick.
        Go {
            /// The tick.
            tick: u64,
        },
        /// How fast the game plays.
        Speed {
            /// A multiple of real time.
            factor: f64,
        },
        /// One event of a tick forward or back.
        Event {
            /// 1 or -1.
            #[cfg_attr(feature = "ts", ts(type = "1 | -1"))]
            by: i64,
            /// The agent whose events these are.
            mind: usize,
        },
        /// Writes a key before the next tick.
        Set(Write),
        /// Sends an event before the next tick.
        Send(Send),
        /// Writes a key before each tick from the next on.
        Hold(Write),
        /// No longer holds a key.
        Release {
            /// The agent.
            mind: usize,
            /// The name of the key.
            key: String,
        },
        /// Lets a leaf without code answer in a way from the next tick on.
        Answer {
            /// The leaf.
            leaf: String,
            /// Its answers, as in [`Stub`](super::Stub).
            answers: String,
            /// Whether each call draws one of them.
            is_random: bool,
        },
        /// Sets or changes a breakpoint.
        Break(Break),
        /// Removes breakpoints.
        Unbreak {
            /// Which one; all without it.
            #[cfg_attr(feature = "ts", ts(optional))]
            id: Option<u64>,
        },
        /// It wants to know what may stand at a place of the document.
        Fits {
            /// The place.
            spot: Beside,
        },
        /// It wants to read the page of a word of the language.
        Word {
            /// The word.
            word: String,
            /// The place at which it stands, of those that `words` names.
            #[serde(default)]
            #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
            place: String,
        },
        /// Makes a new document in the opened folder.
        Make {
            /// Its name: a file in KDL that is not there yet.
            name: String,
            /// The folder, one that the page has opened; without it, the one of `hello`.
            #[serde(default)]
            #[cfg_attr(feature = "ts", ts(optional, as = "Option<String>"))]
            folder: String,
            /// What it begins with.
            #[serde(deserialize_with = "apart")]
            origin: Origin,
        },
        /// It wants to know what is in a folder, or opens it.
        Folder {
            /// One that was named; empty for those that are allowed.
            folder: String,
            /// Whether its documents are to be among the files.
            opens: bool,
        },
        /// Changes the map of the arena.
        Map {
            /// What is to be done.
            #[serde(deserialize_with = "apart")]
            edit: MapEdit,
        },
        /// It wants to see what differs between the document and another version of it.
        Compare {
            /// The other version.
            #[serde(deserialize_with = "apart")]
            versus: Versus,
        },
        /// It has chosen nodes of the document: other pages see it.
        Chosen {
            /// Their ids.
            ids: Vec<u64>,
        },
        /// It wants to know whether something can be done to the document, and why not.
        Try {
            /// A number of its own, which the answer has, too.
            nth: u64,
            /// What would be done.
            edit: Edit,
        },
        /// Has something worked out for a decision tree; nothing is changed.
        Advise {
            /// What.
            #[serde(deserialize_with = "apart")]
            wanted: Wanted,
        },
        /// It wants to know what could be written at a place. The answer repeats `nth`, as those of all such questions do.
        Complete {
            /// A number that the page chooses.
            nth: u64,
            /// Where somebody is writing.
            caret: Caret,
        },
        /// It wants to know about the thing at a place.
        Hover {
            /// A number that the page chooses.
            nth: u64,
            /// The place.
            caret: Caret,
        },
        /// Changes the document.
        Edit {
            /// What is to be done.
            edit: Edit,
        },
        /// Runs tests, or makes one of what happened.
        Test {
            /// What is to be done.
            #[serde(deserialize_with = "apart")]
            test: TestAsk,
        },
        /// Plays again from the tick that is shown, with the document as it is now, as far as was played before.
        Again,
        /// Something was chosen that stands in a text: whoever listens is told.
        Reveal(Reveal),
        /// It wants to hear of the next `reveal` of another page; for editors beside the studio.
        Listen,
    }
}

/// Reads a part of what a page says, by code of its own: on the site, it is loaded when the first such message comes.
#[inline(never)]
fn apart<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(from)
}

/// What pages say while somebody watches: it is read by less code than everything that a page can say.
#[derive(Deserialize)]
#[serde(remote = "Ask", tag = "say", rename_all = "lowercase")]
#[expect(
    clippy::large_enum_variant,
    reason = "there is never one: what is read is an `Ask`"
)]
enum Watching {
    Hello,
    Preview { file: String },
    Files,
    Words,
    Look(Look),
    Play,
    Pause,
    Step,
    Back,
    Go { tick: u64 },
    Chosen { ids: Vec<u64> },
    Complete { nth: u64, caret: Caret },
    Reveal(Reveal),
}

/// How a page says that something was typed. What says the same in another way is read like everything else.
const TYPED: &str = r#"{"say":"edit","edit":{"do":"type","#;

impl Ask {
    /// Reads what a page says.
    ///
    /// What is typed and what watches comes most often, and is read by itself. On the site, the code that reads everything
    /// else is loaded when the first of it comes.
    ///
    /// # Errors
    /// When it is none of this.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Said {
            edit: Typed,
        }
        #[derive(Deserialize)]
        struct Typed {
            file: usize,
            from: usize,
            to: usize,
            text: String,
            since: Option<u64>,
        }
        if text.starts_with(TYPED)
            && let Ok(Said { edit: typed }) = serde_json::from_str(text)
        {
            let edit = Edit::Type {
                file: typed.file,
                from: typed.from,
                to: typed.to,
                text: typed.text,
                since: typed.since,
            };
            return Ok(Self::Edit { edit });
        }
        let mut from = serde_json::Deserializer::from_str(text);
        match Watching::deserialize(&mut from) {
            Ok(ask) if from.end().is_ok() => Ok(ask),
            _ => Self::read_any(text),
        }
    }

    #[inline(never)]
    fn read_any(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_while_watching_is_read_as_anything() {
        for text in [
            r#"{"say":"hello"}"#,
            r#"{"say":"preview","file":"a"}"#,
            r#"{"say":"preview"}"#,
            r#"{"say":"words"}"#,
            r#"{"say":"look","nth":3,"where":"x > 1","worth":["x"]}"#,
            r#"{"nth":3,"say":"look"}"#,
            r#"{"say":"look","nth":"3"}"#,
            r#"{"say":"go","tick":7}"#,
            r#"{"say":"go","tick":-7}"#,
            r#"{"say":"chosen","ids":[4]}"#,
            r#"{"say":"complete","nth":1,"caret":{"in":"text","file":0,"line":1,"column":2,"typed":null}}"#,
            r#"{"say":"reveal","file":"a","line":1,"column":2}"#,
            r#"{"say":"play"} x"#,
            r#"{"say":"follow"}"#,
            r#"{"say":"set","mind":0,"key":"k","value":"1"}"#,
            r#"{"say":"nothing"}"#,
            r#"{"say"#,
            "[1]",
            "",
        ] {
            let by_itself = Ask::read(text).map_err(|error| error.to_string());
            let whole: Result<Ask, _> = serde_json::from_str(text);
            assert_eq!(by_itself, whole.map_err(|error| error.to_string()));
        }
    }

    #[test]
    fn what_is_typed_is_read_as_any_edit() {
        for rest in [
            r#""file":1,"from":2,"to":3,"text":"x","since":4}}"#,
            r#""file":1,"from":2,"to":3,"text":"\u5b88"}}"#,
            r#""file":1}}"#,
        ] {
            let text = format!("{TYPED}{rest}");
            let by_itself = Ask::read(&text).map_err(|error| error.to_string());
            let whole: Result<Ask, _> = serde_json::from_str(&text);
            assert_eq!(by_itself, whole.map_err(|error| error.to_string()));
        }
        let typed = Ask::read(&format!(r#"{TYPED}"file":0,"from":0,"to":0,"text":""}}}}"#));
        assert!(matches!(
            typed,
            Ok(Ask::Edit {
                edit: Edit::Type { .. }
            })
        ));
    }
}
