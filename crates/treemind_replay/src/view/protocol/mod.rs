//! What goes from the studio to its pages and back. `docs/studio-protocol.md` and `studio/src/protocol.ts` are written from
//! these types: `UPDATE_EXPECTED=1 cargo test -p treemind_replay --test it protocol`.

use crate::follow::Tone;
use serde::Serialize;
use treemind_doc::Said;
use treemind_explain::{Explanation, Reason};

/// The version of the protocol. It grows when a page of an earlier version would misunderstand something.
pub const VERSION: u64 = 7;

/// Declares types of the protocol.
macro_rules! protocol {
    ($($(#[$meta:meta])* pub $kind:ident $name:ident { $($body:tt)* })*) => {
        $(
            #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
            $(#[$meta])*
            pub $kind $name { $($body)* }
        )*

        /// These types as TypeScript declares them, with their comments.
        #[cfg(feature = "ts")]
        pub(super) fn own_declarations(config: &ts_rs::Config) -> Vec<(Option<String>, String)> {
            use ts_rs::TS;
            vec![$(($name::docs(), $name::decl(config)),)*]
        }
    };
}

mod again;
mod ask;
mod assist;
mod breakpoints;
mod definition;
mod edit;
mod finds;
mod folders;
mod map;
mod plans;
mod saving;
mod sheet_change;
mod tables;
mod testing;
mod versions;
mod weighed;
mod world;

pub use again::*;
pub use ask::*;
pub use assist::*;
pub use breakpoints::*;
pub use definition::*;
pub use edit::*;
pub use finds::*;
pub use folders::*;
pub use map::*;
pub use plans::*;
pub use saving::*;
pub use sheet_change::*;
pub use tables::*;
pub use testing::*;
pub use versions::*;
pub use weighed::*;
pub use world::*;

/// All types as TypeScript declares them, with their comments.
#[cfg(feature = "ts")]
pub fn declarations(config: &ts_rs::Config) -> Vec<(Option<String>, String)> {
    use treemind_explain::Language;
    use ts_rs::TS;
    let bar = format!("type Bar = {};", Bar::inline(config));
    let happened = format!("type Happened = {};", Happened::inline(config));
    let mut all = vec![
        (Tone::docs(), Tone::decl(config)),
        (Language::docs(), Language::decl(config)),
        (Said::docs(), Said::decl(config)),
        (Reason::docs(), Reason::decl(config)),
        (Explanation::docs(), Explanation::decl(config)),
        (Bar::docs(), bar),
        (Happened::docs(), happened),
    ];
    all.extend(definition::own_declarations(config));
    all.extend(world::own_declarations(config));
    all.extend(breakpoints::own_declarations(config));
    all.extend(tables::own_declarations(config));
    all.extend(edit::own_declarations(config));
    all.extend(saving::own_declarations(config));
    all.extend(sheet_change::own_declarations(config));
    all.extend(plans::own_declarations(config));
    all.extend(finds::own_declarations(config));
    all.extend(weighed::own_declarations(config));
    all.extend(map::own_declarations(config));
    all.extend(folders::own_declarations(config));
    all.extend(testing::own_declarations(config));
    all.extend(again::own_declarations(config));
    all.extend(assist::own_declarations(config));
    all.extend(versions::own_declarations(config));
    all.extend(own_declarations(config));
    all.extend(ask::own_declarations(config));
    all
}

/// A stretch of ticks in which something stayed the same. As JSON it is a list: the first tick, the last, what it was, and 1
/// if it was cut off at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(
    feature = "ts",
    ts(type = "[from: number, to: number, text: string, cut?: 1]")
)]
pub struct Bar {
    /// The first tick.
    pub from: u64,
    /// The last tick.
    pub to: u64,
    /// What it was.
    pub text: String,
    /// Whether it was cut off at its end.
    pub is_cut: bool,
}

impl Serialize for Bar {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.is_cut {
            true => (self.from, self.to, &self.text, 1).serialize(out),
            false => (self.from, self.to, &self.text).serialize(out),
        }
    }
}

/// Something that happened: the tick, what it is about, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(type = "[tick: number, tone: Tone, text: string]"))]
pub struct Happened(pub u64, pub Tone, pub String);

protocol! {
    /// The mark of a line. With `was-` in front, it is an answer of an earlier tick. A tick has the same marks, however
    /// one came to it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum MarkWord {
        /// It has not been reached.
        #[serde(rename = "")]
        Idle,
        /// It runs.
        Run,
        /// It succeeded in this tick.
        Ok,
        /// It failed in this tick.
        Fail,
        /// It was skipped in this tick.
        Skip,
        /// It ran a moment ago.
        WasRun,
        /// It succeeded a moment ago, or has finished in a parallel that counts it.
        WasOk,
        /// It failed a moment ago, or has finished in a parallel that counts it.
        WasFail,
        /// It was skipped a moment ago.
        WasSkip,
        /// It was cut off a moment ago.
        WasCut,
        /// It was cut off in this tick.
        Cut,
        /// A state that was entered a moment ago.
        Entered,
        /// A state that was left in this tick.
        Left,
        /// A state that was left a moment ago.
        WasLeft,
    }

    /// The mark of a line, or the mark and a note: the score of an option, what became of a transition.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    #[serde(untagged)]
    pub enum LineMark {
        /// Only a mark.
        Mark(MarkWord),
        /// A mark and a note.
        Noted(MarkWord, String),
    }

    /// A position within a tick. The marks are those after the `nth` event: a line to which something happens later has no
    /// mark, or its mark from before.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Within {
        /// How many events are shown.
        pub nth: usize,
        /// How many there are.
        pub of: usize,
        /// The last of them, as a sentence.
        pub text: Option<String>,
        /// The line that it is about.
        pub line: Option<String>,
    }

    /// Where a transition with a history leads.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Return {
        /// The position of its line.
        pub line: usize,
        /// The states in which it would end if it were taken now.
        pub states: Vec<String>,
        /// Whether these were active when the state was left last; otherwise it was never left, and begins with them.
        pub is_remembered: bool,
    }

    /// What a key holds.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct KeyState {
        /// The value, as documents write it.
        pub value: String,
        /// The tick of its last change, if that is known.
        pub changed: Option<u64>,
        /// Who wrote it, in a sentence.
        pub by: Option<String>,
    }

    /// What an agent did, side by side.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct Lanes {
        /// The actions that it ran.
        pub does: Vec<Bar>,
        /// The states that it was in.
        pub states: Vec<Bar>,
        /// The plans that its planners made, each with its goal, until they were done or given up.
        pub plans: Vec<Bar>,
        /// The values of each key.
        pub keys: Vec<Vec<Bar>>,
        /// What happened.
        pub events: Vec<Happened>,
    }

    /// What was filled in, between two ticks.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Past {
        /// The first tick.
        pub from: u64,
        /// The last tick.
        pub to: u64,
        /// What happened there. A bar replaces all bars that begin within it.
        #[serde(flatten)]
        pub lanes: Lanes,
    }

    /// How many do what, at some ticks.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Shares {
        /// The actions.
        pub actions: Vec<String>,
        /// Ticks, each with how many did nothing, and how many each of the actions. Only those that the page does not know.
        pub ticks: Vec<(u64, Vec<u32>)>,
    }

    /// What an agent did from a tick on. A bar with the same first tick replaces the one that the page has.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Film {
        /// The first tick.
        pub since: u64,
        /// The last tick that was played.
        pub to: u64,
        /// How often something was filled in that had happened before somebody looked.
        pub fills: u64,
        /// What it did.
        #[serde(flatten)]
        pub lanes: Lanes,
        /// What was filled in since the page asked last.
        pub past: Option<Past>,
        /// How many of those who follow the same definition did what, if there are many.
        pub shares: Option<Shares>,
    }

    /// What there is to see of one agent at a tick.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Agent {
        /// The action that runs.
        pub does: Option<String>,
        /// What that is for.
        pub doc: Option<String>,
        /// For each line of the definition its mark.
        pub marks: Vec<LineMark>,
        /// For each transition that returns to where a state was left, where that would be now.
        pub returns: Vec<Return>,
        /// While it plays, what came and went since the page looked last: lines without a mark, each with the mark that it had.
        /// After a jump there is none.
        pub flashes: Vec<(usize, MarkWord)>,
        /// The position within the tick, if that is not shown as a whole.
        pub event: Option<Within>,
        /// What its keys hold.
        pub keys: Vec<KeyState>,
        /// Who wrote a key before this tick is not known: 0 at the beginning, else the tick of a reload, or one some hundred ticks
        /// ago.
        pub known_since: u64,
        /// Why it did what it did.
        #[cfg_attr(feature = "ts", ts(type = "Explanation | null"))]
        pub explanation: Option<Explanation>,
        /// Why the node that the page asked about answered what it answered.
        #[cfg_attr(feature = "ts", ts(type = "Reason | null"))]
        pub why: Option<Reason>,
        /// The expressions that the page asked about and that have a value, each with the value as documents write it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(String, String)>>", optional))]
        pub worth: Vec<(String, String)>,
        /// Its planners, if it has any.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<PlannerState>>", optional))]
        pub plans: Vec<PlannerState>,
        /// Its searches for the best of several candidates, the one that looked last first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<FindState>>", optional))]
        pub finds: Vec<FindState>,
        /// What its networks computed last, the one that ran last first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<NetworkState>>", optional))]
        pub networks: Vec<NetworkState>,
        /// Its rules, those that were reached last first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<RulesState>>", optional))]
        pub rules: Vec<RulesState>,
        /// What a planner would do with the facts that the page asked about.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub foreseen: Option<Foreseen>,
        /// What it has done.
        pub film: Option<Film>,
    }

    /// An agent in the list of all.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Listed {
        /// Its name.
        pub name: String,
        /// The action that it runs.
        pub does: Option<String>,
    }

    /// An agent that was looked for.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct FoundAgent {
        /// Its number.
        pub nth: usize,
        /// Its name.
        pub name: String,
        /// The action that it runs.
        pub does: Option<String>,
        /// The tick since which it runs it, or none.
        pub since: Option<u64>,
        /// Whether it may have done so before, of which nothing is known.
        pub is_least: bool,
    }

    /// What many agents cannot do, and do something else instead.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Cannot {
        /// How many run another action, though a branch of higher priority was tried in this tick and failed: a condition in
        /// it held, or an action in it failed.
        pub count: usize,
        /// The branch for which these are most: its name, or that of the first condition or action in it.
        pub branch: String,
    }

    /// Whom the page looks for.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Found {
        /// How many fit.
        pub count: usize,
        /// The first of them.
        pub agents: Vec<FoundAgent>,
        /// What is wrong with the condition.
        pub wrong: Option<Said>,
    }

    /// How many run a line, and how many it answered success, failure and was cut off in this tick; 0 for nobody.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(untagged)]
    pub enum LineCounts {
        /// Nobody: 0.
        Nobody(#[cfg_attr(feature = "ts", ts(type = "0"))] u8),
        /// Running, success, failure, cut off.
        Some([u32; 4]),
    }

    /// What everybody does.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Crowd {
        /// How many agents there are.
        pub agents: usize,
        /// For each line of the definition how many are there.
        pub counts: Option<Vec<LineCounts>>,
        /// What many of those who follow the definition cannot do.
        pub cannot: Option<Cannot>,
        /// Whom the page looks for.
        pub found: Found,
    }

    /// What there is to see of a game at a tick, for a page that looks at one agent.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Moment {
        /// The agent. Without one, there is nothing to see.
        #[serde(flatten)]
        pub agent: Agent,
        /// The agents, or the first of them.
        pub agents: Vec<Listed>,
        /// What everybody does, where there may be many.
        pub crowd: Option<Crowd>,
        /// Who and what is where, if there is a world.
        pub scene: Option<Scene>,
        /// How many faults there were so far.
        pub faults: u64,
    }

    /// A key that pages hold: it is written before each tick, whatever the game writes into it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Held {
        /// The agent.
        pub mind: usize,
        /// The name of the key.
        pub key: String,
        /// The value, as documents write it.
        pub value: String,
    }

    /// What the last change of a watched document did.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Reloaded {
        /// The number of the change, from 1.
        pub nth: u64,
        /// The tick at which it came.
        pub tick: u64,
        /// Whether it is played; otherwise the document has errors, and the game continues unchanged.
        pub is_done: bool,
        /// What it did, or why nothing has changed.
        pub lines: Vec<Said>,
    }

    /// The answer to a question.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct View {
        /// The number of the question.
        pub nth: u64,
        /// A number that is another one whenever there is something new to see; the next question repeats it.
        pub state: u64,
        /// Which definition counts: another number for each file that is opened, and each reload.
        pub opened: u64,
        /// The agent that is shown.
        pub mind: usize,
        /// The file.
        pub file: String,
        /// The tick that is shown.
        pub tick: u64,
        /// The time of the game then, in seconds.
        pub secs: f64,
        /// The earliest tick that can be reached.
        pub first: u64,
        /// The last tick that was played, or that a game which runs elsewhere has reached.
        pub last: u64,
        /// The last tick of a recording.
        pub end: Option<u64>,
        /// How many ticks a second of the game has.
        pub ticks_per_sec: f64,
        /// Whether it stands still.
        pub is_paused: bool,
        /// Whether it is on its way to another tick, and to which.
        pub is_jumping: bool,
        /// The tick that it is on its way to.
        pub goal: Option<u64>,
        /// The speed, as a multiple of real time.
        pub speed: f64,
        /// Whether the ticks come from a game that runs elsewhere, and goes on while the page stands still.
        pub is_live: bool,
        /// Whether pages control that game: it stands still while they stand still or look at the past.
        pub is_controlled: bool,
        /// What the last change of a watched document did.
        pub reloaded: Option<Reloaded>,
        /// The keys that are held before the next tick; of a game that runs elsewhere, now.
        pub held: Vec<Held>,
        /// The leaves without code, and how each answers.
        pub stubs: Vec<Stub>,
        /// The breakpoints of the file.
        pub breakpoints: Vec<Breakpoint>,
        /// Where one of them has stopped the game.
        pub stopped: Option<Stopped>,
        /// What happened at breakpoints.
        pub hits: Hits,
        /// What does not change, if the page does not have it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub definition: Option<Definition>,
        /// The document as it is edited, if the page edits it and does not have it like this.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub sheet: Option<Sheet>,
        /// What has changed in it, if the page has the sheet before.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub sheet_change: Option<SheetChange>,
        /// The map of the arena as it is edited, if the page edits it and does not have it like this.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub map: Option<MapSheet>,
        /// What is not on disk, if the page keeps that and does not have it like this.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub unwritten: Option<UnwrittenList>,
        /// The tests of the document, if the page shows them and does not have them like this.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub tests: Option<Tests>,
        /// The run that was played before it was played again from an earlier tick.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub earlier: Option<EarlierRun>,
        /// What other pages have chosen that edit the document.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Other>>", optional))]
        pub others: Vec<Other>,
        /// What there is to see.
        #[serde(flatten)]
        pub moment: Moment,
    }

    /// The first answer.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Hello {
        /// The version of the protocol.
        pub version: u64,
        /// Another text whenever the program was started again.
        pub start: String,
        /// Whether `preview` is answered.
        pub has_previews: bool,
        /// The files that can be opened.
        pub files: Vec<String>,
        /// Whether the page has the token that editing asks for.
        pub may_edit: bool,
        /// Whether it may make new documents.
        pub can_make: bool,
        /// The folder in which they are made; empty if there is none.
        pub folder: String,
        /// Whether that folder has no document and no recording, so that the files are the examples.
        pub is_folder_empty: bool,
        /// The number of the page, by which others see what it did.
        pub you: String,
    }

    /// The answer to a question that makes no sense, or cannot be done.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Refused {
        /// Why.
        pub why: Said,
    }

    /// What the studio says.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    pub enum Message {
        /// The first answer.
        Hello(Hello),
        /// Something was not done.
        Refused(Refused),
        /// What there is to see.
        View(Box<View>),
        /// What a file defines.
        Preview(Box<Preview>),
        /// The files that can be opened now.
        Files(FileList),
        /// The words of the language.
        Words(Box<Words>),
        /// What may stand at a place of the document.
        Fits(Fits),
        /// A document was made.
        Made(Made),
        /// What is in a folder.
        Folder(Folder),
        /// The page of a word.
        Word(WordPage),
        /// Two versions of the document.
        Compared(Comparison),
        /// Whether something could be done to the document.
        Tried(Tried),
        /// Whether a test can be made of what happened.
        Makeable(Makeable),
        /// What was worked out for a decision tree.
        Advice(Advice),
        /// What could be written at a place.
        Completions(Box<Completions>),
        /// What there is to know of the thing at a place.
        Hover(Hover),
        /// Somebody has chosen something that stands in a text: the answer to `listen`.
        Reveal(Reveal),
    }
}
