//! What pages do with the tests of a document and with leaves that have no code, and what they see of them.

use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// Which tests run by themselves when the document is changed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum RunsBy {
        /// None: only what a page asks for.
        Hand,
        /// Those that the change touches: it changes them, or something of what they run.
        #[default]
        Touched,
        /// All.
        All,
    }

    /// A leaf without code: it answers as a page says.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Stub {
        /// Its name.
        pub leaf: String,
        /// Its kind: `condition`, `action` and so on.
        pub kind: String,
        /// Its answers, one per call, of which the last one repeats: `S F R K`, as in scripts. Without any, a condition does
        /// not hold, an action runs, and an instant one succeeds.
        pub answers: String,
        /// Each call draws one of the answers instead.
        pub is_random: bool,
    }

    /// Something that happens in a test, as a line of its script.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Fact {
        /// Before which tick of the game.
        pub tick: u64,
        /// The line: `given health=10`, `leaf see-enemy answers="F"`, `send bell`.
        pub line: String,
    }

    /// Of which stretch of the timeline to make a test.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Stretch {
        /// The agent.
        pub mind: usize,
        /// The first tick.
        pub from: u64,
        /// The last tick.
        pub to: u64,
        /// The name of the test; empty for one that says what happens.
        pub name: String,
        /// What is never to run: some of what was proposed.
        pub never: Vec<String>,
        /// What is to happen beside what happened.
        pub facts: Vec<Fact>,
    }

    /// What a page wants of the tests.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "do", rename_all = "kebab-case")]
    pub enum TestAsk {
        /// Runs tests. What runs already is stopped.
        Run {
            /// Their ids; all without any.
            ids: Vec<String>,
        },
        /// Stops what runs.
        Stop,
        /// Says which tests run by themselves.
        By {
            /// Which.
            which: RunsBy,
        },
        /// Plays a test as a recording, of a failing test at random the shortest try: `opened` of the tests says when it is
        /// there.
        Open {
            /// Its id.
            id: String,
        },
        /// It wants to know whether a test can be made of a stretch: the answer is `makeable`.
        Try {
            /// Of which.
            of: Stretch,
        },
        /// Makes a test of what happened. It is shown, and added when a page says so.
        Draft {
            /// Of what.
            of: Stretch,
        },
        /// Adds the test that is shown to the document.
        Add,
        /// Forgets the test that is shown.
        Forget,
    }

    /// Whether a test can be made of a stretch.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Makeable {
        /// The agent.
        pub mind: usize,
        /// The first tick.
        pub from: u64,
        /// The last tick.
        pub to: u64,
        /// Why not, if it cannot be made.
        pub why: Option<Said>,
    }

    /// How a test went.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TestState {
        /// It has not been run since it was touched.
        Stale,
        /// It runs, or is about to.
        Waiting,
        /// It passed.
        Passed,
        /// It failed.
        Failed,
    }

    /// Why a test failed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct TestFailure {
        /// The line of the document that was not met, from 1.
        pub line: usize,
        /// Its text.
        pub text: String,
        /// What was expected.
        pub expected: Said,
        /// What happened instead.
        pub got: Said,
        /// The tick after which it was found.
        pub tick: u64,
        /// For tries at random: the number of the first one that failed.
        pub attempt: Option<u64>,
        /// For tries at random: a test without chance that fails in the same way.
        pub fixed: Option<String>,
    }

    /// A test, or one case of its table.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Test {
        /// By which it stays known when the document is changed.
        pub id: String,
        /// Its name.
        pub name: String,
        /// The file that contains it.
        pub file: String,
        /// Its line there, from 1.
        pub line: usize,
        /// Whether the game behaves at random in it.
        pub is_random: bool,
        /// How it went.
        pub state: TestState,
        /// How long it took, in milliseconds.
        pub millis: u64,
        /// Why it failed.
        pub failure: Option<TestFailure>,
    }

    /// What tests reached of a definition.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct CoveredLines {
        /// The name of the definition.
        pub name: String,
        /// For each of its lines how much of it was reached, and how much there is to reach: 0 and 0, 0 and 1, 1 and 2.
        pub lines: Vec<(usize, usize)>,
    }

    /// What the tests reached that passed or failed since they were touched last.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
    pub struct Covered {
        /// How many nodes, ways and transitions were reached.
        pub reached: usize,
        /// How many there are.
        pub total: usize,
        /// By definition.
        pub definitions: Vec<CoveredLines>,
    }

    /// A test that is played as a recording.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct OpenedTest {
        /// The id of the test.
        pub id: String,
        /// What the recording is called: a file to look at.
        pub file: String,
        /// The tick to look at: the one after which it failed, or the last one.
        pub tick: u64,
        /// Grows with every test that is opened.
        pub nth: u64,
    }

    /// A test that was made of what happened, as it would be added to the document.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct TestDraft {
        /// Of what it was made.
        pub of: Stretch,
        /// The text that is added.
        pub text: String,
        /// Actions that never ran in the stretch: what may be said to be never the case.
        pub proposed: Vec<String>,
        /// Why the test would fail.
        pub wrong: Option<Said>,
        /// Why it cannot be added.
        pub refusal: Option<Said>,
        /// How often a test was made.
        pub nth: u64,
    }

    /// The tests of a document.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Tests {
        /// Grows with every change.
        pub revision: u64,
        /// Which run by themselves.
        pub by: RunsBy,
        /// Whether some are running.
        pub is_running: bool,
        /// The tests, in the order of the document.
        pub tests: Vec<Test>,
        /// What they reached.
        pub covered: Option<Covered>,
        /// Why they cannot be run.
        pub wrong: Option<Said>,
        /// The test that was opened last.
        pub opened: Option<OpenedTest>,
        /// A test that was made of what happened.
        pub draft: Option<TestDraft>,
    }

}
