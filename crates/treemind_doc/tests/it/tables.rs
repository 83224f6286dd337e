//! Trees as flat tables: good ones, and every way in which one can be wrong.

use std::fs;
use std::path::Path;
use treemind_core::Behaviour;
use treemind_doc::{Code, Document, Format, convert_table, outline};

const LEAVES: &str = "
    blackboard { key health type=float default=100.0; }
    leaves {
        condition see-enemy number=10
        action attack number=11 { param range type=float default=2.0; param cry type=string default=\"\"; }
        composite best-of number=12 min=2
        service scan number=13
        action patrol
    }
    tree guard { action patrol; }";

fn read(text: &str, name: &str) -> Document {
    let load = |path: &str| match path {
        "leaves.kdl" => Ok(LEAVES.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    Document::read_table(text.as_bytes(), name, Some("leaves.kdl"), load)
}

fn behaviour(text: &str, name: &str) -> Behaviour {
    let document = read(text, name);
    assert_eq!(document.diagnostics(), [], "{text}");
    document.behaviour(None).expect("a tree")
}

/// The code of each diagnostic, and the text that it points at.
fn faults(text: &str) -> Vec<(Code, String)> {
    let document = read(text, "t.csv");
    assert!(
        document.behaviour(None).is_err(),
        "nothing is built of {text}"
    );
    let faults = document.diagnostics().iter();
    faults
        .map(|item| (item.code(), item.source().slice(&item.span()).to_owned()))
        .collect()
}

#[test]
fn the_pet_is_the_same_as_a_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/02-pet");
    let file = |name: &str| fs::read(folder.join(name));
    let table = file("pet.csv").expect("the table");
    let table = Document::read_table(&table, "pet.csv", Some("pet.kdl"), file);
    assert_eq!(table.diagnostics(), []);
    assert_eq!(table.format(), Format::Table);
    let kdl = Document::read(&file("pet.kdl").expect("the document"), "pet.kdl");
    assert_eq!(kdl.diagnostics(), []);
    assert_eq!(table.behaviour(None).unwrap(), kdl.behaviour(None).unwrap());
}

#[test]
fn rows_may_stand_in_any_order_and_types_are_names_or_numbers() {
    let table = "\
id,parent,type,description,range,value,name,cry,yields
7,3,patrol,,,,,,
2,1,1,\"fights, \"\"bravely\"\"\",,,fight,,fresh
4,2,see-enemy,,,,,,
1,0,0,,,,,,
5,2,11,,2.5,,,12,
3,1,selector,,,,,,
6,3,check,,,health < 20,,,
";
    let tree = behaviour(table, "my guard.csv");
    let expected = "\
tree my-guard
  selector
    sequence yields=fresh name=fight  // fights, \"bravely\"
      condition see-enemy
      action attack range=2.5 cry=\"12\"
    selector
      action patrol
      check \"health < 20.0\"
";
    assert_eq!(outline(&tree), expected);
    // Children are in the order of their rows.
    let turned = "id,parent,type\n1,0,1\n3,1,patrol\n2,1,see-enemy\n";
    let names = outline(&behaviour(turned, "t.csv"));
    assert!(names.find("patrol") < names.find("see-enemy"), "{names}");
}

#[test]
fn rows_in_json_say_the_same() {
    let csv =
        "id,parent,type,description,range\n1,0,1,,\n2,1,10,,\n3,1,11,hits,2.5\n4,1,2,,\n5,4,10,,\n";
    let json = r#"[
        {"id": 1, "parent": 0, "type": 1},
        {"id": 2, "parent": 1, "type": "see-enemy", "range": null},
        {"id": 3, "parent": 1, "type": 11, "range": 2.5, "description": "hits"},
        {"parent": 1, "type": "invert", "id": 4},
        {"id": 5, "parent": 4, "type": "10"}
    ]"#;
    assert_eq!(behaviour(csv, "t.csv"), behaviour(json, "t.json"));
    assert_eq!(Format::of("t.json", json), Format::Table);
    assert_eq!(Format::of("-", json), Format::Table);
}

#[test]
fn tables_of_other_programs() {
    let plain = behaviour("id,parent,type\n1,0,1\n2,1,10\n3,1,patrol\n", "t.csv");
    for text in [
        "id;parent;type\n1;0;1\n2;1;10\n3;1;patrol\n",
        "id\tparent\ttype\n1\t0\t1\n2\t1\t10\n3\t1\tpatrol\n",
        "\u{feff}id,parent,type\r\n1,0,1\r\n2,1,10\r\n3,1,patrol",
        " id , parent , type \n 1 , 0 , 1 \n\n 2,1,10\n   \n3,1,\"patrol\"\n",
        "\"id\",\"parent\",\"type\"\n\"1\",\"0\",\"1\"\n\"2\",\"1\",\"10\"\n\"3\",\"1\",\"patrol\"\n",
        "type,id,parent,description\nsequence,100,0,\n10,17,100,\npatrol,5,100,\n",
    ] {
        assert_eq!(behaviour(text, "t.csv"), plain, "{text:?}");
    }
}

#[test]
fn own_nodes_and_services_are_types() {
    let text = "id,parent,type,interval,value\n1,0,scan,0.5,\n2,1,12,,\n3,2,repeat,,3\n4,3,patrol,,\n5,2,wait,,1.5\n";
    let tree = outline(&behaviour(text, "t.csv"));
    for part in [
        "service scan",
        "interval=0.5",
        "node best-of",
        "repeat 3",
        "wait 1.5",
    ] {
        assert!(tree.contains(part), "{part}: {tree}");
    }
}

#[test]
fn every_fault_is_told_with_its_place() {
    let wrong = |rows: &str| faults(&format!("id,parent,type\n{rows}"));
    let one = |code, at: &str| vec![(code, at.to_owned())];
    for (rows, expected) in [
        ("1,0,1\n2,1,99\n", one(Code::UnknownLeaf, "99")),
        (
            "1,0,1\n2,1,see-enemi\n",
            one(Code::UnknownLeaf, "see-enemi"),
        ),
        ("1,0,1\n2,1,-1\n", one(Code::UnknownLeaf, "-1")),
        ("1,0,1\n2,7,10\n3,1,10\n", one(Code::UnknownNode, "7")),
        (
            "1,2,1\n2,1,1\n",
            vec![
                (Code::NoTree, "1,2,1".to_owned()),
                (Code::Cycle, "2".to_owned()),
            ],
        ),
        ("1,0,10\n2,0,10\n", one(Code::ExtraChildren, "0")),
        (
            "1,0,1\n2,1,10\n3,4,1\n4,5,1\n5,3,1\n6,6,10\n",
            vec![(Code::Cycle, "4".to_owned()), (Code::Cycle, "6".to_owned())],
        ),
        ("1,0,10\n2,1,10\n", one(Code::ExtraChildren, "10")),
        (
            "1,0,patrol\n2,1,wait\n",
            vec![(Code::ExtraChildren, "wait".to_owned())],
        ),
        ("1,0,1\n", one(Code::MissingChildren, "1")),
        ("1,0,2\n2,1,10\n3,1,10\n", one(Code::ExtraChildren, "10")),
        ("x,0,10\n", one(Code::BadNumber, "x")),
        ("0,0,10\n", one(Code::BadNumber, "0")),
        ("1.5,0,10\n", one(Code::BadNumber, "1.5")),
        ("1,0,1\n2,one,10\n3,1,10\n", one(Code::BadNumber, "one")),
        ("1,0,1\n2,-1,10\n3,1,10\n", one(Code::BadNumber, "-1")),
        ("1,0,1\n2,1,10\n2,1,patrol\n", one(Code::Duplicate, "2")),
        (
            "1,0,1\n2,1\n3,1,10\n",
            vec![
                (Code::MissingValue, "2,1".to_owned()),
                (Code::Table, "2,1".to_owned()),
            ],
        ),
        ("1,0,1\n2,1,10,\n", one(Code::Table, "2,1,10,")),
        ("1,0,1\n2,,10\n3,1,10\n", one(Code::MissingValue, "2,,10")),
        ("1,0,1\n,1,10\n", one(Code::MissingValue, ",1,10")),
        ("1,0,1\n2,1,\"10\n", one(Code::Table, "\"")),
        ("1,0,1\n2,1,\"10\" x\n", one(Code::Table, " x")),
        (
            "1,0,1\n2,1,pat\"rol\"\n",
            vec![
                (Code::UnknownLeaf, "pat\"rol\"".to_owned()),
                (Code::Table, "\"".to_owned()),
            ],
        ),
    ] {
        let mut found = wrong(rows);
        let mut expected = expected;
        let key = |fault: &(Code, String)| (fault.0.as_str(), fault.1.clone());
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found, expected, "{rows}");
    }
}

#[test]
fn columns_can_be_wrong() {
    for (text, code, at) in [
        ("id,parent,kind\n1,0,10\n", Code::Table, "1,0,10"),
        ("", Code::Table, ""),
        ("  \n", Code::Table, ""),
        ("id,parent,type,id\n1,0,10,\n", Code::Duplicate, "id"),
        ("id,parent,type,\n1,0,10,\n", Code::Table, ""),
        ("id,parent,type\n", Code::NoTree, ""),
        (
            "id,parent,type,speed\n1,0,11,3\n",
            Code::UnknownParameter,
            "3",
        ),
        ("id,parent,type,range\n1,0,11,far\n", Code::WrongType, "far"),
        (
            "id,parent,type,value\n1,0,check,health < 20 && tru\n",
            Code::UnknownKey,
            "tru",
        ),
        (
            "id,parent,type,not\n1,0,10,maybe\n",
            Code::WrongType,
            "maybe",
        ),
    ] {
        let faults = faults(text);
        assert!(
            faults.contains(&(code, at.to_owned())),
            "{text:?}: {faults:?}"
        );
    }
}

#[test]
fn rows_in_json_can_be_wrong() {
    for (text, code, at) in [
        ("[]", Code::Table, ""),
        ("[1]", Code::Table, "1"),
        ("[{\"id\":1,\"parent\":0}]", Code::Table, "{"),
        ("[{\"id\":1,\"parent\":0,\"type\":[]}]", Code::Table, "["),
        (
            "[{\"id\":1,\"parent\":0,\"type\":true}]",
            Code::WrongType,
            "true",
        ),
        (
            "[{\"id\":1,\"parent\":0,\"type\":10,\"id\":2}]",
            Code::Duplicate,
            "\"id\"",
        ),
        ("[{\"id\":1,\"parent\":0,\"type\":10,}]", Code::Json, ","),
        (
            "[{\"id\":1,\"parent\":0,\"type\":11,\"range\":\"2.5 m\"}]",
            Code::WrongType,
            "\"2.5 m\"",
        ),
    ] {
        let faults = faults(text);
        assert!(
            faults.contains(&(code, at.to_owned())),
            "{text:?}: {faults:?}"
        );
    }
}

#[test]
fn without_a_manifest_only_nodes_are_types() {
    let sound = Document::parse("id,parent,type,value\n1,0,1,\n2,1,wait,1.5\n", "t.csv");
    assert_eq!(sound.diagnostics(), []);
    assert!(sound.behaviour(Some("t")).is_ok());
    let document = Document::parse("id,parent,type\n1,0,patrol\n", "t.csv");
    let [fault] = document.diagnostics() else {
        panic!("{:?}", document.diagnostics());
    };
    assert_eq!(fault.code(), Code::UnknownLeaf);
    assert!(
        fault.help().is_some_and(|help| help.contains("--manifest")),
        "{fault:?}"
    );
    let load = |_: &str| Err::<Vec<u8>, _>("there is no such file");
    let document =
        Document::read_table(b"id,parent,type\n1,0,1\n", "t.csv", Some("gone.kdl"), load);
    assert!(
        document
            .diagnostics()
            .iter()
            .any(|item| item.code() == Code::Import)
    );
}

#[test]
fn a_table_becomes_a_document() {
    let text =
        "id,parent,type,description,cry\n1,0,1,\"he \"\"fights\"\"\",\n2,1,10,,\n3,1,11,,12\n";
    let load = |_: &str| Ok::<_, String>(LEAVES.as_bytes().to_vec());
    let table = behaviour(text, "fighter.csv");
    for (format, name) in [(Format::Kdl, "fighter.kdl"), (Format::Json, "fighter.json")] {
        let converted = convert_table(text, "fighter.csv", format, Some("leaves.kdl"), load);
        let converted = converted.expect("converted").text;
        let document = Document::parse(&converted, name);
        assert_eq!(
            document.behaviour(Some("fighter")).unwrap(),
            table,
            "{converted}"
        );
    }
    assert!(convert_table("id\n", "t.csv", Format::Kdl, Some("leaves.kdl"), load).is_err());
}

#[test]
fn large_and_hostile_tables() {
    const MANY: usize = 100_000;
    let row = "id,parent,type\n1,0,1\n";
    let wide: String = (2..MANY).map(|id| format!("{id},1,10\n")).collect();
    assert_eq!(
        behaviour(&format!("{row}{wide}"), "wide.csv").nodes().len(),
        MANY - 1
    );
    let deep: String = (2..MANY).map(|id| format!("{id},{},2\n", id - 1)).collect();
    assert_eq!(faults(&format!("{row}{deep}"))[0].0, Code::TooDeep);
    let circle: String = (2..MANY)
        .map(|id| format!("{id},{},2\n", id % (MANY - 1) + 1))
        .collect();
    assert!(!faults(&format!("{row}{circle}")).is_empty());
    for part in ["\"", ",", "\n", "1,", "\"\"", "é", "1,0,1\n", "\r", ";"] {
        assert!(!faults(&part.repeat(MANY)).is_empty());
        assert!(!faults(&format!("id,parent,type\n{}", part.repeat(MANY))).is_empty());
    }
    let text = "id,parent,type,description\n1,0,1,\"a, \"\"b\"\"\"\n2,1,10,é\n";
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        for with in ["\"", ",", "\n", "🦊", ";"] {
            let spoilt = format!("{}{with}{}", &text[..at], &text[at..]);
            for item in read(&spoilt, "t.csv").diagnostics() {
                assert!(item.source().text().get(item.span()).is_some(), "{item:?}");
            }
        }
    }
}
