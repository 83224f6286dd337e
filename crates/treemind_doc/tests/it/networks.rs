//! Networks in documents, with the files of their weights.

use treemind_core::{Kind, Program};
use treemind_doc::edit::Editor;
use treemind_doc::{Code, Document, Format, convert, format, outline};

const VILLAGER: &str = r#"blackboard {
    key hunger type=float
    key social type=float
}
leaves { action chat; }
network mood from="parts/mood.weights" { in "hunger"; in 1.0; out social; out alone; }
tree villager {
    sequence { policy mood social="{social}"; action chat; }
}
"#;

fn read_as(text: &str, weights: &str, format: Format) -> Document {
    let load = |path: &str| match path {
        "town/parts/mood.weights" => Ok(weights.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    Document::read_as_with(text.as_bytes(), "town/villager.kdl", format, load)
}

fn read(weights: &str) -> Document {
    read_as(VILLAGER, weights, Format::Kdl)
}

const WEIGHTS: &str = "inputs 2\nlayer 2 tanh\n0 1 2\n0 -1 1\n";

#[test]
fn a_file_of_weights_is_read_like_an_import() {
    let document = read(WEIGHTS);
    assert_eq!(document.diagnostics(), []);
    let files: Vec<&str> = document.sources().map(|source| source.name()).collect();
    assert_eq!(files, ["town/villager.kdl", "town/parts/mood.weights"]);
    let behaviour = document.behaviour(None).expect("a behaviour");
    assert!(outline(&behaviour).contains("policy mood social=\"{social}\""));
    let is_policy = |kind: &Kind| matches!(kind, Kind::Policy(_));
    assert!(behaviour.nodes().iter().any(|node| is_policy(&node.kind)));
    // What is kept of a document makes it again.
    let again = Document::of_texts(Format::Kdl, &document.texts()).expect("texts");
    assert_eq!(again.behaviour(None).expect("a behaviour"), behaviour);
}

#[test]
fn other_weights_are_another_program() {
    let fingerprint = |weights: &str| {
        let behaviour = read(weights).behaviour(None).expect("a behaviour");
        Program::new(behaviour).fingerprint()
    };
    let same = fingerprint("# only a comment\ninputs 2\nlayer 2 tanh\n0 1 2\n0 -1 1.0\n");
    assert_eq!(fingerprint(WEIGHTS), same);
    assert_ne!(
        fingerprint(WEIGHTS),
        fingerprint(&WEIGHTS.replace("-1 1", "-1 1.5"))
    );
    assert_ne!(
        fingerprint(WEIGHTS),
        fingerprint(&WEIGHTS.replace("tanh", "relu"))
    );
}

#[test]
fn a_mistake_in_the_file_is_reported_there() {
    let document = read("inputs 2\nlayer 2 tanh\n0 1 2\n0 x 1\n");
    let [found] = document.diagnostics() else {
        panic!("{:?}", document.diagnostics());
    };
    assert_eq!(found.code(), Code::BadWeights);
    assert_eq!(
        found.to_plain(),
        "town/parts/mood.weights:4:3: error[T1103]: `x` is no finite number\n  help: such a file has `inputs N`, then for each layer `layer UNITS FUNCTION` and a line for each unit: its bias, and a weight for each input; `treemind convert brain.onnx mood.weights` makes one\n"
    );
    let alone = Document::parse(VILLAGER, "villager.kdl");
    assert_eq!(alone.diagnostics()[0].code(), Code::Import);
    let weights = Document::parse(WEIGHTS, "mood.weights");
    assert_eq!(weights.diagnostics()[0].code(), Code::BadWeights);
}

#[test]
fn it_is_the_same_in_json_and_formatted() {
    let json = convert(VILLAGER, "villager.kdl", Format::Kdl, Format::Json).expect("it is read");
    let behaviour = |text: &str, format| {
        let document = read_as(text, WEIGHTS, format);
        document.behaviour(None).expect("a behaviour")
    };
    let expected = behaviour(VILLAGER, Format::Kdl);
    assert_eq!(behaviour(&json.text, Format::Json), expected);
    let formatted = format(VILLAGER, "villager.kdl").expect("it is read");
    assert_eq!(behaviour(&formatted, Format::Kdl), expected);
}

#[test]
fn networks_and_outputs_are_renamed() {
    let rename = |at: &str, new: &str| {
        let mut editor = Editor::of_texts(&[("villager.kdl", VILLAGER)]);
        let place = VILLAGER.find(at).expect("it is there") + 1;
        let change = editor.rename(place, new).expect("it can be renamed");
        editor.apply(&change).expect("made for this text");
        editor.text(0).to_owned()
    };
    let renamed = rename("mood from", "temper");
    assert_eq!(renamed.matches("temper").count(), 2, "{renamed}");
    assert_eq!(renamed.matches("mood").count(), 1, "{renamed}");
    let renamed = rename("social; out", "chatty");
    assert!(renamed.contains("out chatty; out alone"), "{renamed}");
    assert!(
        renamed.contains("policy mood chatty=\"{social}\""),
        "{renamed}"
    );
}
