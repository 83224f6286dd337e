//! Documents that are checked together agree about what they share.

use treemind_doc::{Diagnostic, Document, check_together};

fn found(documents: &[(&str, &str)]) -> String {
    let load = |path: &str| match path {
        "camp.kdl" => Ok(CAMP.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let documents = documents.iter().map(|(name, text)| {
        let document = Document::read_with(text.as_bytes(), name, load);
        assert!(!document.has_errors(), "{:?}", document.diagnostics());
        document
    });
    let documents: Vec<Document> = documents.collect();
    let found = check_together(&documents.iter().collect::<Vec<_>>());
    found.iter().map(Diagnostic::to_plain).collect()
}

const CAMP: &str = "blackboard scope=world { key alarm type=bool; }\n";

const GUARD: &str = "import \"camp.kdl\"
blackboard scope=group { key goal type=entity optional=#true; }
tree guard { sequence {
    check \"alarm && has(goal)\"
    semaphore stage max=1 scope=world { succeed; }
}; }";

#[test]
fn what_is_imported_agrees() {
    let medic = "import \"camp.kdl\"\ntree medic { set \"alarm = true\"; }";
    assert_eq!(found(&[("guard.kdl", GUARD), ("medic.kdl", medic)]), "");
    assert_eq!(found(&[("guard.kdl", GUARD)]), "");
}

#[test]
fn what_differs_is_an_error_at_the_later_document() {
    let medic = "blackboard scope=world { key alarm type=int default=3; key goal type=entity optional=#true; }
tree medic { sequence {
    set \"alarm += 1\"
    check \"has(goal)\"
    semaphore stage max=2 scope=world { succeed; }
}; }";
    assert_eq!(
        found(&[("guard.kdl", GUARD), ("medic.kdl", medic)]),
        "medic.kdl:1:30: error[T0208]: key `alarm` is declared differently in another document
  help: it is `scope=world type=int default=3` here, and `scope=world type=bool default=false` in camp.kdl:1:30; programs that share it must agree
medic.kdl:1:60: error[T0208]: key `goal` is declared differently in another document
  help: it is `scope=world type=entity optional` here, and `scope=group type=entity optional` in guard.kdl:2:30; programs that share it must agree
medic.kdl:5:15: error[T0208]: semaphore `stage` is declared differently in another document
  help: it is `scope=world max=2` here, and `scope=world max=1` in guard.kdl:5:15; programs that share it must agree
"
    );
}

#[test]
fn a_name_that_is_nearly_the_same_is_a_warning() {
    let medic = |allow: &str| {
        format!(
            "blackboard scope=world {{ key alarms type=bool {allow}; key beds type=int; }}
tree medic {{ set \"alarms = beds > 0\"; }}"
        )
    };
    assert_eq!(
        found(&[("guard.kdl", GUARD), ("medic.kdl", &medic(""))]),
        "medic.kdl:1:30: warning[T0614]: no other document has a shared key `alarms`
  help: did you mean `alarm`, as in camp.kdl:1:30?
"
    );
    assert_eq!(
        found(&[
            ("guard.kdl", GUARD),
            ("medic.kdl", &medic("allow=\"T0614\""))
        ]),
        ""
    );
    // A document that has both names means what it says.
    let both = format!("import \"camp.kdl\"\n{}", medic(""));
    assert_eq!(found(&[("guard.kdl", GUARD), ("medic.kdl", &both)]), "");
    // Keys that each agent has for itself are not shared.
    let own = "blackboard { key alarms type=bool; }\ntree medic { set \"alarms = !alarms\"; }";
    assert_eq!(found(&[("guard.kdl", GUARD), ("medic.kdl", own)]), "");
}

#[test]
fn events_that_cross_programs_agree_and_somebody_waits_for_them() {
    let scout = "leaves { event help { param volume type=int; }; event alarm; event note; }
tree scout { sequence { emit help volume=3 to=group; emit alarm to=world; emit note; }; }";
    let medic = "leaves { event help { param volume type=float; }; event alarms; event note { param n type=int; }; }
tree medic { sequence { wait-for-event help; check \"event(alarms)\"; received note; }; }";
    assert_eq!(
        found(&[("scout.kdl", scout), ("medic.kdl", medic)]),
        "scout.kdl:1:55: warning[T0614]: nothing in these documents waits for the event `alarm`
  help: did you mean `alarms`?
medic.kdl:1:16: error[T0208]: event `help` is declared differently in another document
  help: it is `volume type=float` here, and `volume type=int` in scout.kdl:1:16; programs that share it must agree
"
    );
    let allowed = scout.replace("event alarm;", "event alarm allow=\"T0614\";");
    let medic = medic.replace("float", "int");
    assert_eq!(found(&[("scout.kdl", &allowed), ("medic.kdl", &medic)]), "");
    assert_eq!(found(&[("scout.kdl", scout)]), "");
}
