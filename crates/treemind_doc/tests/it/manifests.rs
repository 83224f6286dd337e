//! Manifests: from documents, to documents and JSON, and back.

use treemind_doc::manifest::{
    ChildCount, LeafEntry, LeafWord, Manifest, ParamEntry, ParamType, ParamValue,
};
use treemind_doc::{Document, Severity};

const EVERYTHING: &str = r#"
blackboard { key mood type=enum { value calm angry; } }
leaves {
    condition see-enemy number=7 doc="an enemy is in sight"
    action attack number=3 {
        param range type=float default=2.1 doc="metres, \"about\"\n\\ \u{7}"
        param far type=double default=1e300
        param blows type=int default=-9223372036854775808
        param target type=entity default=18446744073709551615
        param is_loud type=bool default=#true
        param mood type=enum default=angry { value calm angry; }
        param to type=vec2 default="0.5, -2"
        param up type=vec3 default="0, 0, 1e-7"
        param word type=string default="a \"word\" \\ and {more}"
        param name type=string default=true_
        param in type=any default=2.5
        param if type=any default="text"
        param what type=any default=#false
        param style type=enum { value true_ inf_ one; }
    }
    action "true" instant=#true { param x type=int; }
    action "2 d€"
    action deliver reports=#true
    service look-around number=12 { param range type=float; }
    composite best min=2 max=3 { param by type=int; }
    composite any
    decorator twice number=9 doc="two times"
}
tree t { condition see-enemy; }
"#;

/// Reads a document with the leaves of a manifest, and with a tree that makes it complete.
fn read(kdl: &str) -> Manifest {
    let document = Document::parse(&format!("{kdl}\ntree t {{ succeed; }}"), "leaves.kdl");
    assert_eq!(document.diagnostics(), [], "{kdl}");
    document.manifest()
}

fn everything() -> Manifest {
    let text = EVERYTHING
        .replace("\"2 d€\"", "d€")
        .replace("true_ inf_", "is true2")
        .replace("true_", "\"true\"");
    let document = Document::parse(&text, "leaves.kdl");
    let errors = document.diagnostics().iter();
    let errors = errors.filter(|item| item.severity() == Severity::Error);
    assert_eq!(errors.count(), 0, "{:?}", document.diagnostics());
    document.manifest()
}

#[test]
fn a_document_tells_its_leaves() {
    let manifest = everything();
    let names: Vec<&str> = manifest
        .leaves
        .iter()
        .map(|leaf| leaf.name.as_str())
        .collect();
    assert_eq!(names[..4], ["see-enemy", "attack", "true", "d€"]);
    let attack = manifest.leaf("attack").unwrap();
    assert_eq!((attack.number, attack.kind), (Some(3), LeafWord::Action));
    assert_eq!(
        attack.param("mood"),
        Some(&ParamEntry {
            name: "mood".to_owned(),
            ty: ParamType::Enum(vec!["calm".to_owned(), "angry".to_owned()]),
            default: Some(ParamValue::Name("angry".to_owned())),
            by_key: false,
            doc: None,
        })
    );
    assert!(manifest.leaf("true").unwrap().instant && !attack.instant);
    assert!(manifest.leaf("deliver").unwrap().reports && !attack.reports);
    let children = |name: &str| manifest.leaf(name).unwrap().children;
    let count = |least, most| Some(ChildCount { least, most });
    assert_eq!(children("best"), count(2, Some(3)));
    assert_eq!((children("any"), children("twice")), (count(1, None), None));
    assert!(manifest.leaf("gone").is_none() && attack.param("gone").is_none());
    let behaviour = Document::parse(EVERYTHING.replace("\"2 d€\"", "d").as_str(), "a.kdl")
        .behaviour(None)
        .unwrap();
    assert_eq!(behaviour.leaves()[1].number, Some(3));
}

#[test]
fn what_is_written_as_a_document_reads_the_same() {
    let manifest = everything();
    let text = manifest.to_kdl();
    let again = read(&text);
    assert_eq!(again, manifest, "{text}");
    assert_eq!(again.to_kdl(), text);
    assert_eq!(read(&Manifest::default().to_kdl()), Manifest::default());
}

#[test]
fn a_written_document_looks_as_people_write_it() {
    let text = "\
leaves {
    condition see-enemy number=7 doc=\"an enemy is in sight\"
    action attack {
        param range type=float default=2.0 doc=\"metres\"
        param mood type=enum default=calm { value calm angry; }
    }
    action reload instant=#true
    composite best number=5 min=2 max=3
    composite any min=1
}
";
    assert_eq!(read(text).to_kdl(), text);
}

#[test]
fn json_says_the_same() {
    let manifest = everything();
    let json = serde_json::to_string(&manifest).unwrap();
    let again: Manifest = serde_json::from_str(&json).unwrap();
    assert_eq!(again, manifest, "{json}");
    let small = Manifest {
        leaves: vec![LeafEntry {
            name: "attack".to_owned(),
            kind: LeafWord::Action,
            number: Some(3),
            instant: false,
            reports: false,
            children: None,
            ty: None,
            doc: None,
            params: vec![ParamEntry {
                name: "range".to_owned(),
                ty: ParamType::Float,
                default: Some(ParamValue::Float(2.1)),
                by_key: false,
                doc: Some("metres".to_owned()),
            }],
        }],
    };
    assert_eq!(
        serde_json::to_string(&small).unwrap(),
        r#"{"leaves":[{"name":"attack","kind":"action","number":3,"params":[{"name":"range","type":"float","default":2.1,"doc":"metres"}]}]}"#
    );
}

#[test]
fn json_that_means_nothing_is_refused_with_a_reason() {
    let of_param = |param: &str| {
        let json = format!(r#"{{"leaves":[{{"name":"a","kind":"action","params":[{param}]}}]}}"#);
        serde_json::from_str::<Manifest>(&json).map(|manifest| manifest.leaves[0].params[0].clone())
    };
    let default = |ty: &str, value: &str| {
        of_param(&format!(
            r#"{{"name":"x","type":"{ty}","default":{value}}}"#
        ))
    };
    assert_eq!(
        default("double", "2").unwrap().default,
        Some(ParamValue::Double(2.0))
    );
    assert_eq!(
        default("entity", "2").unwrap().default,
        Some(ParamValue::Entity(2))
    );
    for (ty, value) in [
        ("int", "2.5"),
        ("bool", "1"),
        ("entity", "-1"),
        ("float", "1e300"),
        ("int", "\"a\""),
        ("enum", "\"a\""),
    ] {
        let error = default(ty, value).unwrap_err().to_string();
        assert!(
            error.starts_with("parameter `x`: the default must be of type"),
            "{ty} {value}: {error}"
        );
    }
    let error = default("number", "2").unwrap_err().to_string();
    assert!(
        error.starts_with("parameter `x`: unknown type `number`"),
        "{error}"
    );
    let error = of_param(r#"{"name":"x","type":"int","values":["a"]}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("only the type `enum` has `values`"),
        "{error}"
    );
    assert!(serde_json::from_str::<Manifest>(r#"{"leafs":[]}"#).is_err());
}
