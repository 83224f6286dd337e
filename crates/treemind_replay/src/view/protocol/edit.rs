//! What pages do to a document, and what they see of it while they edit it.
// long: one enumeration of all edits, and what the sheet of a page has.

use super::{Compared, Conflict, KeyScope, Problem, SaidKey, SheetKey, SheetLeaf, Unsaved, Whose};
use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// Where a node goes: beside another one, or into it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Where {
        /// Before that node.
        Before,
        /// After that node.
        After,
        /// Into its block, at the end.
        Into,
        /// Around that node.
        Around,
    }

    /// A place in a document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Beside {
        /// The node that it is at; 0 with `into` for the first node of an empty document.
        pub id: u64,
        /// On which side.
        pub side: Where,
    }

    /// A property that is written or removed.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct NewEntry {
        /// Its name.
        pub name: String,
        /// What is written, as one types it; it is removed without one.
        pub value: Option<String>,
    }

    /// What a page wants to change. Nodes are named by the ids of the last sheet.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(tag = "do", rename_all = "kebab-case")]
    pub enum Edit {
        /// Takes back what was done last, whoever did it.
        Undo,
        /// Does again what was taken back last.
        Redo,
        /// Writes the files again that could not be written. Where another program has changed a file that was changed here,
        /// too, it says which text counts; the other one is a step of the history.
        Save {
            /// The text that counts; without it, what clashes is not written.
            #[cfg_attr(feature = "ts", ts(optional))]
            whose: Option<Whose>,
        },
        /// Says whether every edit is written into the files at once, or when a page asks for it. For all pages.
        SaveAtOnce {
            /// At once.
            is_on: bool,
        },
        /// Settles one of the `conflicts` of the sheet.
        Settle {
            /// The file, by its position in the sheet.
            file: usize,
            /// The number of the conflict.
            key: u64,
            /// What counts.
            whose: Whose,
        },
        /// Adds nodes, written in KDL: one that the page chose from a list, or what was copied elsewhere. `around` puts the
        /// first one around the node.
        Add {
            /// The nodes.
            text: String,
            /// Where they go.
            spot: Beside,
            /// With `around`: other nodes that go into the first one, too, behind the one that it is put around.
            #[serde(default)]
            #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<u64>>"))]
            others: Vec<u64>,
        },
        /// Removes nodes with what is in them.
        Remove {
            /// The nodes.
            ids: Vec<u64>,
        },
        /// Moves nodes.
        Move {
            /// The nodes.
            ids: Vec<u64>,
            /// Where they go.
            spot: Beside,
        },
        /// Puts the children of a node in its place.
        Unwrap {
            /// The node.
            id: u64,
        },
        /// Gives a node another kind, with the properties that both have.
        ChangeKind {
            /// The node.
            id: u64,
            /// The kind.
            word: String,
        },
        /// Puts copies of nodes after them: of nodes that stand one after the other, behind the last one.
        Duplicate {
            /// The nodes.
            ids: Vec<u64>,
        },
        /// Disables nodes, or no longer.
        Disable {
            /// The nodes.
            ids: Vec<u64>,
            /// Whether they are to be disabled.
            is_on: bool,
        },
        /// Puts the root of a tree in the place of a node that uses it.
        Inline {
            /// The node.
            id: u64,
        },
        /// Moves a node among its peers: a transition among those of its state, an answer among those of its question, a task
        /// among those beside it.
        Reorder {
            /// The node.
            id: u64,
            /// By so many places down; up if it is negative.
            by: i32,
        },
        /// Writes the comment above a node.
        Comment {
            /// The node.
            id: u64,
            /// Its lines; empty removes it.
            text: String,
        },
        /// Gives a `consider` another curve: the numbers and points of the one before go.
        SetCurve {
            /// The `consider`.
            id: u64,
            /// The name of the curve.
            curve: String,
        },
        /// Makes a state one whose states are all active together.
        MakeParallel {
            /// The state.
            id: u64,
        },
        /// Makes a `parallel` of a machine a state of whose states one is active.
        MakeSequential {
            /// The `parallel`.
            id: u64,
        },
        /// Adds a state to a machine or into a state.
        AddState {
            /// The machine or the state.
            id: u64,
            /// The name of the new state.
            name: String,
        },
        /// Makes a state the initial one of what is around it.
        SetInitial {
            /// The state.
            id: u64,
        },
        /// Adds a transition to a state.
        AddTransition {
            /// The state that it leads out of.
            from: u64,
            /// The state that it leads to.
            to: u64,
            /// What it waits for, as in a document: `after=2`, `on=bell`.
            trigger: String,
        },
        /// Lets a transition lead to another state.
        Retarget {
            /// The transition.
            id: u64,
            /// The state.
            to: u64,
        },
        /// Says how a transition, or each entry of a state, goes back to where it was left.
        SetHistory {
            /// The transition or the state.
            id: u64,
            /// `shallow` or `deep`; not at all without it.
            depth: Option<String>,
        },
        /// Lets an answer of a decision tree lead to a question that another answer leads to. If that question is not the
        /// beginning of a branch yet, it becomes one.
        Lead {
            /// The answer; with `side`, its question.
            id: u64,
            /// `yes` or `no`, if that answer may not be written yet.
            side: Option<String>,
            /// The question.
            to: u64,
            /// The name of the branch that it becomes.
            name: Option<String>,
        },
        /// Lets several answers of a decision tree lead to a line of it: it becomes a branch.
        Share {
            /// The question or task.
            id: u64,
            /// The name of the branch.
            name: String,
        },
        /// Writes what was worked out last into the document.
        Accept {
            /// The number of that advice.
            nth: u64,
        },
        /// Writes and removes several properties of a node.
        SetAll {
            /// The node.
            id: u64,
            /// The properties.
            entries: Vec<NewEntry>,
        },
        /// Writes a property.
        Set {
            /// The node.
            id: u64,
            /// The property; for a value without a name, its number from 0.
            name: String,
            /// What is written, as one types it: `2.5`, `true`, `health < 20`.
            value: String,
        },
        /// Removes a property.
        Unset {
            /// The node.
            id: u64,
            /// The property.
            name: String,
        },
        /// Renames what a node defines, with all its uses.
        Rename {
            /// The node.
            id: u64,
            /// The new name.
            name: String,
        },
        /// Turns a node into a tree of its own.
        Extract {
            /// The node.
            id: u64,
            /// The name of the tree.
            name: String,
        },
        /// Adds a key to a blackboard; one is made if there is none with that scope.
        AddKey {
            /// The key.
            key: SaidKey,
            /// Who shares it.
            scope: KeyScope,
        },
        /// Gives a key, a port or a parameter another type. A default that does not fit goes.
        SetType {
            /// Its node.
            id: u64,
            /// The type.
            ty: String,
            /// The values of an enumeration, separated by blanks; empty for those that it has.
            values: String,
        },
        /// Sets what a key, a port or a parameter holds at first.
        SetDefault {
            /// Its node.
            id: u64,
            /// The value, as one types it.
            value: String,
        },
        /// Lets others share a key of a blackboard, or no longer.
        SetScope {
            /// Its node.
            id: u64,
            /// Who shares it.
            scope: KeyScope,
        },
        /// Adds a leaf to the manifest.
        AddLeaf {
            /// Its kind: `condition`, `action` and so on.
            kind: String,
            /// Its name.
            name: String,
            /// What it is for; empty for nothing.
            doc: String,
        },
        /// Adds a parameter to a leaf of the manifest.
        AddParam {
            /// The leaf.
            id: u64,
            /// The parameter.
            param: SaidKey,
        },
        /// Solves a problem: one of the `fixes` at a place.
        Fix {
            /// The file, by its position in the sheet.
            file: usize,
            /// The line, from 1.
            line: usize,
            /// The column in it, from 0, in units of UTF-16.
            column: usize,
            /// Which of them.
            label: String,
        },
        /// Renames what is named at a place of a text, with all its uses.
        RenameAt {
            /// The file, by its position in the sheet.
            file: usize,
            /// The line, from 1.
            line: usize,
            /// The column in it, from 0, in units of UTF-16.
            column: usize,
            /// The new name.
            name: String,
        },
        /// Lays a text out, as `treemind fmt` does.
        Format {
            /// The file, by its position in the sheet.
            file: usize,
        },
        /// Puts what a page has kept of a file into it, merged with what is there now. Where both have changed the same, that is
        /// a conflict, as with another program; where that has to be saved first, it is refused.
        PutIn {
            /// The file, by its position in the sheet.
            file: usize,
            /// The text from which both come.
            base: String,
            /// What the page has made of it.
            text: String,
        },
        /// Replaces a piece of a text: what is typed.
        Type {
            /// The file, by its position in the sheet.
            file: usize,
            /// Where it begins, in units of UTF-16.
            from: usize,
            /// Where it ends.
            to: usize,
            /// What takes its place.
            text: String,
            /// The revision of the sheet into whose text it was typed: what has changed since moves it. Without one, the text is
            /// taken to be as it is.
            #[serde(default)]
            #[cfg_attr(feature = "ts", ts(optional))]
            since: Option<u64>,
        },
    }

    /// A property of a node.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetEntry {
        /// Its name.
        pub name: String,
        /// The value, without quotes.
        pub value: String,
    }

    /// What a node is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Role {
        /// A tree, a machine, a manifest.
        Definition,
        /// A node of a tree.
        Task,
        /// A state of a machine.
        State,
        /// A transition of a machine.
        Transition,
        /// A part of a state or of a transition: `initial`, `entry`, `do`, `exit`.
        StatePart,
        /// A question of a decision tree, or where it leads.
        Question,
        /// An answer of a question, or a case of a `switch` in a tree.
        Answer,
        /// A part of a decision tree that several answers lead to.
        Branch,
        /// A goal or a task of a planner, or a method.
        Plan,
        /// Anything else that the language has.
        Other,
        /// The language has no such word there.
        Unknown,
    }

    /// A node as it is written.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetNode {
        /// A number that it keeps, whatever is done to it.
        pub id: u64,
        /// How many nodes are around it.
        pub depth: usize,
        /// Its file, by its position.
        pub file: usize,
        /// What it is.
        pub role: Role,
        /// Its first word.
        pub word: String,
        /// Its values, without quotes.
        pub values: Vec<String>,
        /// Its properties.
        pub properties: Vec<SheetEntry>,
        /// The lines of the comment above it.
        #[serde(skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
        pub comment: String,
        /// Whether it is switched off.
        pub is_disabled: bool,
        /// Where it is: its first line (from 1) and column (from 0, in units of UTF-16), its last line, and the column behind
        /// its end.
        #[cfg_attr(feature = "ts", ts(type = "[line: number, column: number, last: number, end: number]"))]
        pub at: [usize; 4],
    }

    /// A file of a document that is edited.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetFile {
        /// Its name.
        pub name: String,
        /// Its text.
        pub text: String,
        /// Whether all its blocks are closed; only then its nodes can be changed, and otherwise its text.
        pub is_whole: bool,
        /// Whether what is on disk is the same.
        pub is_saved: bool,
        /// Its text as it was last read from disk or written there, if that differs. Changes to a sheet leave it out, because
        /// pages know it by then.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub saved: Option<String>,
    }

    /// Something that was done.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Done {
        /// What.
        pub label: Said,
        /// The number of the page that did it; empty for another program.
        pub by: String,
    }

    /// What another page has chosen.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Other {
        /// The number of that page.
        pub who: String,
        /// The ids of the nodes.
        pub ids: Vec<u64>,
    }

    /// A property that a word may have.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct WordProperty {
        /// Its name.
        pub name: String,
        /// What it is for.
        pub purpose: String,
        /// Its default, if it has one.
        pub default: Option<String>,
        /// Whether it may be an expression.
        pub is_computed: bool,
        /// The words below which alone it means something; none if it does everywhere.
        pub below: Vec<String>,
    }

    /// What the value of a word is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum WordValue {
        /// The name of something.
        Name,
        /// A key.
        Key,
        /// A condition.
        Condition,
        /// Something else.
        Value,
    }

    /// A word of the language in one of the places where it is allowed, the ones that are learnt first at the beginning.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Word {
        /// The word.
        pub name: String,
        /// What it is for.
        pub purpose: String,
        /// Where it is allowed: `in a tree`.
        pub place: String,
        /// Whether it is a node of a tree.
        pub is_node: bool,
        /// What its value is.
        pub value: WordValue,
        /// What it is for, and in what unit, if it has a value.
        pub of_value: Option<String>,
        /// Whether its value may be an expression.
        pub is_computed: bool,
        /// Its own properties.
        pub properties: Vec<WordProperty>,
    }

    /// The words of the language.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Words {
        /// The words.
        pub words: Vec<Word>,
        /// The properties that every node of a tree may have.
        pub of_nodes: Vec<WordProperty>,
        /// The curves of a `consider`; the first is that of one without `curve=`.
        pub curves: Vec<WordCurve>,
    }

    /// A curve of a `consider`.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct WordCurve {
        /// What `curve=` says.
        pub name: String,
        /// Its parameters, and what each is where it is not written.
        pub parameters: Vec<(String, f64)>,
    }

    /// Something that may stand at a place.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Fit {
        /// A line of a document to begin with: `action go`.
        pub text: String,
        /// Its word.
        pub word: String,
        /// What it is for.
        pub doc: String,
    }

    /// What may stand at a place, the likely ones first.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Fits {
        /// The place.
        pub spot: Beside,
        /// What may stand there.
        pub fits: Vec<Fit>,
        /// Why nothing may, if the place takes nothing.
        pub why: Option<Said>,
    }

    /// Something that can be worked out for decision trees.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "wanted", rename_all = "kebab-case")]
    pub enum Wanted {
        /// A decision tree that asks likely and cheap questions first, with the same answers.
        Balance {
            /// The decision tree.
            id: u64,
        },
        /// A decision tree that is learned from a table.
        Learn {
            /// The table: values separated by commas, with the names of the columns in the first line.
            table: String,
            /// The column that says what to do.
            target: String,
            /// The name of the decision tree.
            name: String,
        },
    }

    /// What was worked out, to be compared with what there is before it is accepted.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Advice {
        /// By which it is accepted.
        pub nth: u64,
        /// What it is: `balance watchman`.
        pub label: Said,
        /// What it is good for, in sentences.
        pub told: Vec<Said>,
        /// The lines that change, as they are.
        pub before: String,
        /// The same lines as they would be; equal if there is nothing better.
        pub after: String,
        /// All nodes of both, for a drawing, as when versions are compared.
        pub nodes: Vec<Compared>,
    }

    /// Whether something could be done.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Tried {
        /// The number that the page gave it.
        pub nth: u64,
        /// Why it cannot be done, if it cannot.
        pub why: Option<Said>,
    }

    /// The nodes that a page is to choose.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Selection {
        /// What the page is called.
        pub by: String,
        /// Their ids, the one that was chosen last at the end.
        pub ids: Vec<u64>,
    }

    /// A document as it is edited.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Sheet {
        /// Grows with every change.
        pub revision: u64,
        /// Its files.
        pub files: Vec<SheetFile>,
        /// Its nodes, in the order of the text, each behind the one that it is in.
        pub nodes: Vec<SheetNode>,
        /// Its keys and ports, in the order of the text; behind them the keys that expressions name and nothing declares.
        pub keys: Vec<SheetKey>,
        /// The leaves of its manifests, in the order of the text; behind them those that are used and that none has.
        pub leaves: Vec<SheetLeaf>,
        /// What `undo` takes back.
        pub undo: Option<Done>,
        /// What `redo` does again.
        pub redo: Option<Done>,
        /// After an undo or a redo, the nodes that were chosen there.
        pub selection: Option<Selection>,
        /// What is wrong with it.
        pub problems: Vec<Problem>,
        /// What the last edit has left behind or dropped, in sentences.
        pub told: Vec<Said>,
        /// What keeps it from being saved.
        pub unsaved: Option<Unsaved>,
        /// Whether every edit is saved at once.
        pub saves_at_once: bool,
        /// What was changed here and on disk, and has to be settled.
        pub conflicts: Vec<Conflict>,
        /// What was done last, the latest at the end, at most 100.
        pub done: Vec<Done>,
    }
}
