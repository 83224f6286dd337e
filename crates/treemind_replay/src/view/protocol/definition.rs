//! What does not change as long as a file is open.

use super::Ground;
use serde::Serialize;
use treemind_doc::Said;

protocol! {
    /// What a line of a definition is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum LineIs {
        /// A node of a tree.
        Node,
        /// A state of a machine.
        State,
        /// A transition of a machine.
        Transition,
        /// A test of a decision tree.
        Test,
        /// A way of such a test.
        Way,
        /// Something in between, such as a case or the word `entry`.
        Part,
    }

    /// A piece of an expression. All pieces together are the expression as documents write it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Piece {
        /// What is written.
        pub text: String,
        /// The position of the key in `keys` that it stands for, if it is a key.
        pub key: Option<usize>,
    }

    /// A value on a line.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct LineValue {
        /// As documents have it, without quotes.
        pub text: String,
        /// In pieces, if it is an expression; empty for anything else.
        pub parts: Vec<Piece>,
    }

    /// A property of a line.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct LineProperty {
        /// Its name.
        pub name: String,
        /// Its value.
        #[serde(flatten)]
        pub value: LineValue,
    }

    /// A line of a definition.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Line {
        /// Its name in addresses and questions: `n6` is node 6, `s2.1` a state, `t2.0` a transition, `q3.0` a test, `w3.0.1` a
        /// way, `p7` a part.
        pub id: String,
        /// How far it is indented, in characters.
        pub indent: usize,
        /// What the outline prints, without the `doc`.
        pub text: String,
        /// What it is for; empty if the document does not say.
        pub doc: String,
        /// What it is.
        pub is: LineIs,
        /// Its word: the kind of a node, or `state`, `parallel`, `transition`, `test`, `case`, `entry`, and so on.
        pub word: String,
        /// What stands right behind the word: the leaf of an action, the name of a state, the test of a `check`.
        pub values: Vec<LineValue>,
        /// Its properties, in the order of the outline.
        pub properties: Vec<LineProperty>,
        /// What a node or a state is called.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub label: Option<String>,
        /// Of a state: `atomic`, `composite`, `parallel` or `final`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub kind: Option<&'static str>,
        /// Of a transition: the ids of the states to which it leads.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub targets: Option<Vec<String>>,
        /// Of a transition: the id of the state from which it leads.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub source: Option<String>,
    }

    /// A key of a definition.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Key {
        /// Its name.
        pub name: String,
        /// Who shares it: `agent`, `group` or `world`.
        pub scope: &'static str,
        /// Its type, as documents write it.
        pub ty: String,
    }

    /// An event of a definition.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct DeclaredEvent {
        /// Its name.
        pub name: String,
        /// Its parameters, in order.
        pub params: Vec<EventParam>,
    }

    /// A parameter of an event.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct EventParam {
        /// Its name.
        pub name: String,
        /// Its type, as documents write it.
        pub ty: String,
    }

    /// A number that a key is compared with.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct Threshold {
        /// The position of the key in `keys`.
        pub key: usize,
        /// The number.
        pub value: f64,
    }

    /// What an agent runs, line by line.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Behaviour {
        /// Its name.
        pub name: String,
        /// What it is: `tree`, `machine` or `decision tree`.
        pub word: &'static str,
        /// Its lines.
        pub lines: Vec<Line>,
        /// Its keys.
        pub keys: Vec<Key>,
        /// The events that its agents send and hear.
        pub events: Vec<DeclaredEvent>,
        /// The numbers that keys are compared with, each pair once.
        pub thresholds: Vec<Threshold>,
    }

    /// A document.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Text {
        /// The name of its file.
        pub name: String,
        /// What it says.
        pub text: String,
    }

    /// A problem of a document.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Problem {
        /// The name of the file.
        pub file: String,
        /// Where: the first line (from 1) and column (from 0, in units of UTF-16), the last line, and the column behind the end.
        #[cfg_attr(feature = "ts", ts(type = "[line: number, column: number, last: number, end: number]"))]
        pub at: [usize; 4],
        /// How severe it is: with an error, the document gives no behaviour.
        #[cfg_attr(feature = "ts", ts(type = "\"error\" | \"warning\""))]
        pub severity: &'static str,
        /// Its code, such as `T0104`.
        pub code: String,
        /// What is wrong.
        pub text: Said,
        /// What to do about it.
        pub help: Option<Said>,
        /// In the sheet of a document that is edited: which node it is about, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub about: Option<About>,
    }

    /// What a problem is about.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct About {
        /// The innermost node in whose words it is.
        pub id: u64,
        /// The name of the property that it marks, or of which it marks a part; of a value, its number from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub entry: Option<String>,
    }

    /// Documents that cannot be played.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Draft {
        /// The documents.
        pub texts: Vec<Text>,
        /// What is wrong with them.
        pub problems: Vec<Problem>,
    }

    /// What a file defines.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Preview {
        /// The name of the file.
        pub file: String,
        /// What its agents run. Nothing is said of a recording.
        pub behaviour: Option<Behaviour>,
        /// What is wrong with it.
        pub wrong: Option<Said>,
    }

    /// A name that the texts define, with all places where it stands.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Name {
        /// What it names: `key`, `tree`, and so on.
        pub kind: &'static str,
        /// The name.
        pub name: String,
        /// The places, each followed by `defined`, `written` or `used`.
        #[cfg_attr(feature = "ts", ts(type = "[file: number, line: number, column: number, last: number, end: number, how: \"defined\" | \"written\" | \"used\"][]"))]
        pub at: Vec<(usize, usize, usize, usize, usize, &'static str)>,
    }

    /// What does not change as long as a file is open, as one agent sees it.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Definition {
        /// What the agent runs.
        pub behaviour: Option<Behaviour>,
        /// The documents.
        pub texts: Vec<Text>,
        /// What is wrong with them.
        pub problems: Vec<Problem>,
        /// What the files of a watched document say now, if that cannot be played. The game continues with `texts`.
        pub draft: Option<Draft>,
        /// Why nothing plays.
        pub refusal: Option<Said>,
        /// The walls and named places of the world.
        pub ground: Option<Ground>,
        /// For each line where its node is in the texts: the file (counted from 0), the first line (from 1) and column (from 0,
        /// in units of UTF-16), the last line, and the column behind the end. Empty for what is not written in KDL.
        #[cfg_attr(feature = "ts", ts(type = "([file: number, line: number, column: number, last: number, end: number] | null)[]"))]
        pub places: Vec<Option<[usize; 5]>>,
        /// The names that the texts define.
        pub names: Vec<Name>,
        /// Whether the file is in a folder of git, so that it can be compared with the last commit.
        pub is_in_git: bool,
    }
}
