//! Tests of documents: lines above them, and how they end.

use crate::client::{Client, URI};
use serde_json::json;

const TEXT: &str = "leaves { action patrol; }\ntree guard { action patrol; }\ntest walks tree=guard {\n    tick\n    expect \
                    running active=patrol\n}\ntest fails tree=guard {\n    tick\n    expect success\n}\n";

#[test]
fn tests_are_run_and_their_ends_are_shown() {
    let (mut client, _) = Client::on(TEXT);
    assert_eq!(client.codes(URI), [""; 0]);
    let of = json!({ "textDocument": { "uri": URI } });
    let titles = |client: &mut Client| -> Vec<String> {
        let lenses = client.ask("textDocument/codeLens", of.clone());
        let all = lenses.as_array().unwrap().iter();
        all.map(|one| one["command"]["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(titles(&mut client), ["▶ run", "▶ run", "▶ run all 2 tests"]);
    let listed = client.ask("treemind/tests", of.clone());
    assert_eq!(listed[1]["range"]["start"]["line"], 6, "{listed}");

    let ran = client.ask(
        "workspace/executeCommand",
        json!({ "command": "treemind.runTests", "arguments": [URI, []] }),
    );
    assert_eq!(
        (&ran["tests"][0]["passed"], &ran["tests"][1]["passed"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(ran["coverage"], 100.0);
    let told = client.diagnostics(URI);
    assert_eq!(
        (&told[0]["source"], &told[0]["range"]["start"]["line"]),
        (&json!("treemind test"), &json!(8))
    );
    assert_eq!(
        titles(&mut client),
        [
            "▶ run ✓ passed",
            "▶ run ✗ failed",
            "▶ run all 2 tests (they reach 100 %)"
        ]
    );

    // What has changed since then has not been tried.
    client.change(URI, Some([8, 11, 8, 18]), "running");
    assert_eq!(titles(&mut client)[1], "▶ run (changed since it ran)");
    let one = json!({ "command": "treemind.runTests", "arguments": [URI, ["fails"]] });
    client.ask("workspace/executeCommand", one);
    assert_eq!(titles(&mut client)[1], "▶ run ✓ passed");
}

#[test]
fn what_tests_do_not_reach_is_marked_until_the_text_changes() {
    let text = "leaves { action patrol; action rest; }\ntree guard {\n    selector {\n        action patrol\n        action \
                rest\n    }\n}\ntest walks tree=guard {\n    tick\n    expect running active=patrol\n}\n";
    let (mut client, _) = Client::on(text);
    client.codes(URI);
    let run = json!({ "command": "treemind.runTests", "arguments": [URI, []] });
    let ran = client.ask("workspace/executeCommand", run);
    let parts = ran["covered"][0]["parts"].as_array().unwrap();
    let reached: Vec<_> = parts
        .iter()
        .map(|one| (&one["range"]["start"]["line"], &one["reached"]))
        .collect();
    let expected = [(2, 1), (3, 1), (4, 0)].map(|(line, reached)| (json!(line), json!(reached)));
    assert!(
        reached
            .iter()
            .zip(&expected)
            .all(|(one, other)| one == &(&other.0, &other.1)),
        "{ran}"
    );
    let told = client.diagnostics(URI);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (
            &told[0]["message"],
            &told[0]["severity"],
            &told[0]["range"]["start"]["line"]
        ),
        (&json!("no test reaches this"), &json!(4), &json!(4))
    );
    client.change(URI, Some([0, 0, 0, 0]), "// x\n");
    assert_eq!(client.codes(URI), [""; 0]);
}

#[test]
fn what_cannot_run_says_so() {
    let (mut client, _) = Client::on("tree t { aktion x; }\ntest a tree=t { tick; }\n");
    let run = json!({ "command": "treemind.runTests", "arguments": [URI] });
    assert!(
        client
            .refused("workspace/executeCommand", run)
            .contains("the tests cannot run")
    );
    let other = json!({ "command": "rm", "arguments": [URI] });
    assert!(
        client
            .refused("workspace/executeCommand", other)
            .contains("no command `rm`")
    );
}
