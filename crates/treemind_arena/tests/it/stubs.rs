//! Leaves that the arena does not have, and that answer as one says.

use treemind::Document;
use treemind::core::Status;
use treemind::core::behaviour::LeafKind;
use treemind::core::host::Stub;
use treemind::core::trace::{Event, Trace};
use treemind_arena::{Rules, Session, SessionError, World, YARD};

const DANCER: &str = "
    leaves { condition hears-music; action dance; action patrol; }
    tree dancer { reactive-selector { reactive-sequence { condition hears-music; action dance; }; action patrol; }; }";

fn session(text: &str) -> Session {
    let document = Document::parse(text, "dancer.kdl");
    let main = document.behaviour(None).expect("a tree");
    let world = World::load(YARD, Rules::default()).expect("a map");
    Session::with_stubs(main, Some(&document), world).expect("it plays")
}

fn stub(answers: &[Status], is_random: bool) -> Stub {
    Stub {
        answers: answers.to_vec(),
        is_random,
    }
}

/// What the first agent runs after each of the next ticks: `d`ance or `p`atrol.
fn does(session: &mut Session, ticks: usize) -> String {
    let mut trace = Trace::new();
    let step = |_| {
        session.step_traced(&mut trace);
        let behaviour = session.behaviour();
        let agent = session.focus_agent();
        let is_dance = |node| behaviour.label(node) == "dance";
        let mut events = trace.agent(agent);
        let dances = events.any(|(node, event)| matches!(event, Event::Tick(_)) && is_dance(node));
        if dances { 'd' } else { 'p' }
    };
    (0..ticks).map(step).collect()
}

#[test]
fn leaves_without_code_answer_as_one_says() {
    let document = Document::parse(DANCER, "dancer.kdl");
    let main = document.behaviour(None).expect("a tree");
    let world = World::load(YARD, Rules::default()).expect("a map");
    // A run of `treemind run` still needs all leaves.
    let refused = Session::new(main, Some(&document), world);
    assert!(matches!(refused, Err(SessionError::Bind(_))));

    let mut game = session(DANCER);
    let names: Vec<(&str, LeafKind)> = game
        .stubs()
        .into_iter()
        .map(|(name, kind, _)| (name, kind))
        .collect();
    assert!(
        matches!(
            names[..],
            [
                ("dance", LeafKind::Action { .. }),
                ("hears-music", LeafKind::Condition)
            ]
        ),
        "{names:?}"
    );
    assert_eq!(does(&mut game, 3), "ppp");
    // By script: the last answer repeats.
    game.stub(
        "hears-music",
        &stub(
            &[
                Status::Failure,
                Status::Success,
                Status::Success,
                Status::Failure,
            ],
            false,
        ),
    );
    assert_eq!(does(&mut game, 6), "pddppp");
    // By hand.
    game.stub("hears-music", &stub(&[Status::Success], false));
    assert_eq!(does(&mut game, 3), "ddd");
    // At random; a copy goes on in the same way.
    game.stub(
        "hears-music",
        &stub(&[Status::Success, Status::Failure], true),
    );
    let mut copy = game.clone();
    let drawn = does(&mut game, 64);
    assert!(
        drawn.matches('d').count() > 16 && drawn.matches('p').count() > 16,
        "{drawn}"
    );
    assert_eq!(does(&mut copy, 64), drawn);
    // Without an answer of one's own.
    game.stub("hears-music", &Stub::default());
    assert_eq!(does(&mut game, 3), "ppp");
}

#[test]
fn a_changed_document_goes_on_in_the_lists() {
    let mut game = session(DANCER);
    let music = [
        Status::Success,
        Status::Success,
        Status::Failure,
        Status::Success,
    ];
    game.stub("hears-music", &stub(&music, false));
    assert_eq!(does(&mut game, 2), "dd");
    let changed = DANCER
        .replace("action patrol; }; }", "action move; }; }")
        .replace("action patrol; }\n", "action move; }\n");
    let document = Document::parse(&changed, "dancer.kdl");
    let main = document.behaviour(None).expect("a tree");
    game.reload(main, Some(&document)).expect("it goes on");
    assert_eq!(does(&mut game, 3), "pdd");
}
