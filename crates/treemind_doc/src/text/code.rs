//! The codes of diagnostics.

use std::fmt;

macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        /// The topic of a diagnostic. The code (`T0102`) never changes its meaning from one version to the next.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $code, "`: ", $title, ".")] $name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The stable code, such as `T0102`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// Its topic in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    NotText = "T0001", "the file is not UTF-8 text";
    Syntax = "T0002", "the text is not KDL";
    Unclosed = "T0003", "a block, string or comment is not closed";
    TooDeep = "T0004", "nested too deeply";
    BareKeyword = "T0005", "a keyword of KDL without its `#`";
    TooLarge = "T0006", "the document is too large";
    TypeAnnotation = "T0007", "a KDL type annotation";
    Xml = "T0008", "XML that cannot be read";
    Json = "T0009", "JSON that cannot be read";
    Table = "T0010", "a table that cannot be read";
    NoForm = "T0011", "something that a format cannot express";
    NoFeature = "T0012", "a format that this program was built without";
    UnknownNode = "T0101", "an unknown kind of node";
    UnknownLeaf = "T0102", "an unknown condition, action or other leaf";
    UnknownKey = "T0103", "an unknown key";
    UnknownParameter = "T0104", "an unknown parameter";
    UnknownProperty = "T0105", "an unknown property";
    UnknownTree = "T0106", "an unknown tree";
    UnknownType = "T0107", "an unknown type";
    UnknownValue = "T0108", "a value that the enumeration does not have";
    UnknownFunction = "T0109", "an unknown function";
    Duplicate = "T0110", "the same name twice";
    WrongLeafKind = "T0111", "a leaf used as one of another kind";
    BadName = "T0112", "a name that cannot be used";
    MisplacedNode = "T0113", "a node in the wrong place";
    Cycle = "T0114", "something that contains itself";
    UnknownLabel = "T0115", "an `interrupt` that reaches nothing";
    UnknownCurve = "T0116", "an unknown curve";
    UnknownBranch = "T0117", "an unknown branch of a decision tree";
    UnknownDecision = "T0118", "an unknown decision tree";
    Import = "T0120", "a file that cannot be imported";
    UnknownArchetype = "T0121", "an unknown archetype";
    UnknownCode = "T0122", "a code that cannot be allowed";
    WrongType = "T0201", "a value of the wrong type";
    BadNumber = "T0202", "a number out of range";
    MissingValue = "T0203", "a value is missing";
    ExtraValue = "T0204", "too many values";
    MissingParameter = "T0205", "a parameter is missing";
    BadThreshold = "T0206", "a threshold that cannot be met";
    BadChoice = "T0207", "a word that is not one of the choices";
    Contradiction = "T0208", "two things that exclude each other";
    MissingChildren = "T0301", "children are missing";
    ExtraChildren = "T0302", "too many children";
    NothingInIt = "T0303", "the document is empty";
    NoTree = "T0304", "no tree to run";
    ExpressionSyntax = "T0401", "an expression that cannot be read";
    ChainedComparison = "T0402", "chained comparisons";
    WrongArguments = "T0403", "a wrong number of arguments";
    RandomAsked = "T0404", "a random number in an expression that is evaluated repeatedly";
    NotYet = "T0501", "part of the language, but not of this version";
    NeverRuns = "T0601", "a child that can never run";
    LoopOfZero = "T0602", "a loop that never runs its child";
    UnusedKey = "T0603", "a key that nothing uses";
    LateCondition = "T0604", "a condition after a task";
    SpinningLoop = "T0605", "a loop that lets no time pass";
    NeverInterrupted = "T0606", "an `interruptible` that nothing interrupts";
    AlwaysSo = "T0607", "a question with only one answer";
    NoEffect = "T0608", "an option that has no effect";
    UnusedBranch = "T0609", "a branch that is never used";
    KnownAnswer = "T0610", "a question that is already answered";
    OnlyWritten = "T0611", "a key that nothing reads";
    OnlyRead = "T0612", "a key that nothing writes";
    NoAnswer = "T0613", "a decision tree that may end without a decision";
    SharedAlone = "T0614", "something shared that no other document has";
    LostChange = "T0615", "a change of a shared key that may be lost";
    NotRunAgain = "T0616", "a branch that is not run again";
    LateEffect = "T0617", "a write that an earlier rule looks at";
    ScriptSyntax = "T0701", "a line of a script that cannot be read";
    UnknownMachine = "T0801", "an unknown machine";
    UnknownState = "T0802", "an unknown state";
    BadTarget = "T0803", "a state that cannot be entered this way";
    NoInitial = "T0804", "states without an initial state";
    FreeTransition = "T0805", "a transition with neither a trigger nor a target";
    TakesTime = "T0806", "something that may take time where nothing is allowed to";
    BadStack = "T0807", "an impossible push or pop";
    Livelock = "T0808", "transitions that loop forever";
    NothingLeadsHere = "T0811", "a state that can never be entered";
    NeverTaken = "T0812", "a transition that is never taken";
    TooMany = "T0901", "too many problems to list";
    Internal = "T0902", "a defect of Treemind itself";
    UnknownPlanner = "T1001", "an unknown planner";
    UnknownStep = "T1002", "an unknown step or task of a planner";
    Unforeseen = "T1003", "something that a planner cannot foresee";
    Unplannable = "T1004", "a key that a planner cannot change in its plans";
    EndlessTask = "T1005", "a task of a planner that can never end";
    NothingGives = "T1006", "a goal that no step leads to";
    UselessStep = "T1007", "a step that no plan needs";
    PlannerTooLarge = "T1008", "a planner that is too large";
    UnknownNetwork = "T1101", "an unknown network";
    UnknownOutput = "T1102", "an output that a network does not have";
    BadWeights = "T1103", "a file of weights that cannot be read";
    NetworkSize = "T1104", "a network that does not fit its file";
}

impl Code {
    /// Whether it can be a warning, which `allow="T0604"` on a node turns off.
    pub fn can_be_a_warning(self) -> bool {
        matches!(
            self,
            Code::UnknownLeaf
                | Code::Duplicate
                | Code::NotYet
                | Code::NeverRuns
                | Code::LoopOfZero
                | Code::UnusedKey
                | Code::LateCondition
                | Code::SpinningLoop
                | Code::NeverInterrupted
                | Code::AlwaysSo
                | Code::NoEffect
                | Code::UnusedBranch
                | Code::KnownAnswer
                | Code::OnlyWritten
                | Code::OnlyRead
                | Code::NoAnswer
                | Code::SharedAlone
                | Code::LostChange
                | Code::NotRunAgain
                | Code::LateEffect
                | Code::NothingLeadsHere
                | Code::NeverTaken
                | Code::NothingGives
                | Code::UselessStep
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}
