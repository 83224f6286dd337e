//! Keys and leaves as tables: what each row says, and what is added and changed in it.

use super::sequences::Random;
use super::{edited, editor};
use treemind_core::behaviour::Scope;
use treemind_doc::Document;
use treemind_doc::edit::{At, Change, EditError, Editor, NewKey};

const GUARD: &str = "blackboard {
    // hit points
    key health type=float default=100.0 doc=\"0 to 100\"
    key mood type=enum default=calm { value calm angry; }
}

leaves {
    condition see-enemy
    action attack { param range type=float default=2.0; }
    action patrol
}

tree guard {
    selector {
        action attack when=\"health < 20 && mood == angry && rage > 1\"
        set \"health = 100.0\"
        action dance
    }
}
";

fn key<'t>(name: &'t str, ty: &'t str, default: &'t str) -> NewKey<'t> {
    NewKey {
        name,
        ty,
        default,
        ..NewKey::default()
    }
}

#[test]
fn rows_say_who_reads_and_writes() {
    let editor = editor(GUARD);
    let outline = editor.outline();
    let keys = editor.keys();
    let said: Vec<_> = keys
        .iter()
        .map(|row| {
            let users = row.uses.iter().map(|one| {
                let node = outline.node(one.id).expect("a node");
                format!(
                    "{} {}{}",
                    node.word,
                    u8::from(one.is_read),
                    u8::from(one.is_written)
                )
            });
            let users: Vec<String> = users.collect();
            let default = row.default.as_deref().unwrap_or("-");
            format!(
                "{} {} {default} {} {}: {}",
                row.name,
                row.ty,
                row.scope,
                row.id > 0,
                users.join(", ")
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            "health float 100.0 agent true: action 10, set 01",
            "mood enum calm agent true: action 10",
            "rage  -  false: action 10",
        ]
    );
    assert_eq!(keys[1].values, ["calm", "angry"]);
    let leaves = editor.leaves();
    let said = leaves.iter().map(|row| {
        let params = row.params.iter().map(|param| param.name.as_str());
        format!(
            "{} {} {:?} {}",
            row.kind,
            row.name,
            params.collect::<Vec<_>>(),
            row.uses.len()
        )
    });
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            "condition see-enemy [] 0",
            "action attack [\"range\"] 1",
            "action patrol [] 0",
            "action dance [] 1",
        ]
    );
    assert_eq!(leaves[3].id, 0);
}

/// What a table adds is right as it stands, whatever its kind.
#[test]
fn leaves_of_every_kind_are_added_without_a_problem() {
    for (kind, line) in [
        ("condition", "condition new"),
        ("composite", "composite new"),
        ("candidates", "candidates new type=vec2"),
        ("measure", "measure new { param of type=vec2; }"),
    ] {
        let added = edited(GUARD, |editor, _| editor.add_leaf_of(kind, "new", ""));
        let added = added.expect(kind);
        let expected = format!("action patrol\n    {line}\n}}");
        assert!(added.contains(&expected), "{added}");
        let known = GUARD
            .replace("        action dance\n", "")
            .replace(" && rage > 1", "");
        let added = edited(&known, |editor, _| {
            editor.add_leaf_of(kind, "new", "for fun")
        });
        let document = Document::parse(&added.expect(kind), "guard.kdl");
        assert!(
            !document.has_errors(),
            "{kind}: {:?}",
            document.diagnostics()
        );
    }
    let text = "leaves { candidates spots type=entity; action go; }\n";
    let rows = editor(text).leaves();
    assert_eq!(rows[0].ty.as_deref(), Some("entity"));
    assert_eq!(rows[1].ty, None);
}

#[test]
fn keys_are_added_where_they_belong() {
    let add =
        |text: &str, key: NewKey<'_>, scope| edited(text, |editor, _| editor.add_key(&key, scope));
    assert_eq!(
        add(
            "blackboard { key a type=int; }\n",
            key("b", "float", "5"),
            Scope::Agent
        ),
        Ok("blackboard { key a type=int; key b type=float default=5.0; }\n".to_owned())
    );
    let mood = NewKey {
        values: "calm very-angry",
        doc: "how \"it\" feels",
        ..key("mood", "enum", "very-angry")
    };
    assert_eq!(
        add("blackboard {\r\n    key a type=int // one\r\n}\r\n\r\nleaves { action go; }\r\n", mood, Scope::World),
        Ok("blackboard {\r\n    key a type=int // one\r\n}\r\n\r\nblackboard scope=world {\r\n    key mood type=enum default=very-angry doc=\"how \\\"it\\\" feels\" { value calm very-angry; }\r\n}\r\n\r\nleaves { action go; }\r\n".to_owned())
    );
    for (key, why) in [
        (key("a", "int", ""), "another key is named `a`"),
        (
            key("b-c", "int", ""),
            "`b-c` is not a valid name for a key: expressions use it, so it can only have letters, digits and `_`",
        ),
        (
            key("b", "number", ""),
            "unknown type `number`; the types are `bool`, `int`, `float`, `double`, `enum`, `entity`, `vec2`, `vec3`, `string`, `any`",
        ),
        (key("b", "int", "2.5"), "`2.5` is no value of the type int"),
        (key("b", "enum", ""), "an enumeration needs its values"),
    ] {
        assert_eq!(
            add("blackboard { key a type=int; }", key, Scope::Agent),
            Err(why.to_owned())
        );
    }
}

#[test]
fn types_and_defaults_fit_one_another() {
    let text = "blackboard {\n    §key a type=float default=5.0 // five\n    §key m type=enum default=calm { value calm angry; }\n}\n";
    let with = |a: &str, m: &str| Ok(format!("blackboard {{\n    {a} // five\n    {m}\n}}\n"));
    let (a, m) = (
        "key a type=float default=5.0",
        "key m type=enum default=calm { value calm angry; }",
    );
    let ty = |nth: usize, ty: &str, values: &str| {
        edited(text, |editor, marks| {
            editor.set_type(marks[nth], ty, values)
        })
    };
    let default = |nth: usize, value: &str| {
        edited(text, |editor, marks| editor.set_default(marks[nth], value))
    };
    assert_eq!(ty(0, "int", ""), with("key a type=int default=5", m));
    assert_eq!(ty(0, "bool", ""), with("key a type=bool", m));
    assert_eq!(
        ty(0, "enum", "low high"),
        with("key a type=enum { value low high; }", m)
    );
    assert_eq!(
        ty(1, "string", ""),
        with(a, "key m type=string default=calm")
    );
    assert_eq!(
        ty(1, "enum", "calm glad"),
        with(a, "key m type=enum default=calm { value calm glad; }")
    );
    assert_eq!(
        ty(1, "enum", "glad"),
        with(a, "key m type=enum { value glad; }")
    );
    assert_eq!(
        ty(0, "enum", ""),
        Err("an enumeration needs its values".to_owned())
    );
    assert_eq!(default(0, "7"), with("key a type=float default=7.0", m));
    assert_eq!(
        default(1, "angry"),
        with(a, "key m type=enum default=angry { value calm angry; }")
    );
    assert_eq!(
        default(1, "glad"),
        Err("`glad` is no value of the type enum".to_owned())
    );
    let parameter = "leaves { action go { §param to type=string; }; }\ntree t { action go { §param to \"x\"; }; }\n";
    assert_eq!(
        edited(parameter, |editor, marks| editor
            .set_type(marks[0], "vec2", "")),
        Ok(parameter
            .replace('§', "")
            .replace("type=string", "type=vec2"))
    );
    assert!(
        edited(parameter, |editor, marks| editor
            .set_type(marks[1], "vec2", ""))
        .is_err()
    );
    assert_eq!(
        edited("leaves {\n    §action go\n}\n", |editor, marks| editor
            .add_param(marks[0], &key("speed", "float", "1"))),
        Ok(
            "leaves {\n    action go {\n        param speed type=float default=1.0\n    }\n}\n"
                .to_owned()
        )
    );
}

#[test]
fn keys_are_shared_with_others() {
    let scope = |text: &str, scope| edited(text, |editor, marks| editor.set_scope(marks[0], scope));
    // The only key of its blackboard: that is shared.
    assert_eq!(
        scope("blackboard { §key a type=int; }\n", Scope::World),
        Ok("blackboard scope=world { key a type=int; }\n".to_owned())
    );
    assert_eq!(
        scope(
            "blackboard scope=world { §key a type=int; }\n",
            Scope::Agent
        ),
        Ok("blackboard { key a type=int; }\n".to_owned())
    );
    // Its comments go with it.
    let two = "blackboard {\n    key a type=int\n    // b it is\n    §key b type=int // so\n}\n\ntree t { wait 1.0; }\n";
    let apart = "blackboard {\n    key a type=int\n}\n\nblackboard scope=group {\n    // b it is\n    key b type=int // so\n}\n\ntree t { wait 1.0; }\n";
    assert_eq!(scope(two, Scope::Group), Ok(apart.to_owned()));
    // And back; the blackboard that is empty then goes.
    assert_eq!(
        scope(&apart.replace("key b", "§key b"), Scope::Agent),
        Ok(two.replace('§', ""))
    );
    assert_eq!(
        scope("tree t { §key a type=int; check \"a > 1\"; }", Scope::Agent),
        Err("only a key of a `blackboard` can be shared by others".to_owned())
    );
}

/// One of the edits of the tables, at any node.
fn by_chance(random: &mut Random, editor: &Editor) -> Result<Change, EditError> {
    const TYPES: [&str; 8] = [
        "bool", "int", "float", "enum", "vec2", "string", "any", "odd",
    ];
    const TEXTS: [&str; 7] = ["", "5", "2.5", "true", "calm", "1, 2", "\"\u{5b88}\\"];
    let outline = editor.outline();
    let nodes = outline.nodes();
    let node = &nodes[random.below(nodes.len())];
    let at = At::from((node.file, node.span.start));
    let name = format!("k{}", random.below(6));
    let (ty, text) = (TYPES[random.below(8)], TEXTS[random.below(7)]);
    let values = ["", "calm angry", "5 \u{5b88}"][random.below(3)];
    let scope = [Scope::Agent, Scope::Group, Scope::World][random.below(3)];
    let key = NewKey {
        name: &name,
        ty,
        default: text,
        doc: text,
        values,
    };
    match random.below(13) {
        0 | 7 => editor.add_key(&key, scope),
        1 | 8 => editor.set_type(at, ty, values),
        2 | 9 => editor.set_default(at, text),
        3 | 10 => editor.set_scope(at, scope),
        4 | 11 => editor.add_leaf_of(
            ["action", "condition", "candidates", "measure", "odd"][random.below(5)],
            &name,
            text,
        ),
        5 | 12 => editor.add_param(at, &key),
        _ => editor.remove(at),
    }
}

/// Whatever is done in the tables, in documents of all shapes, leaves texts that can be read, and is undone to the byte.
#[test]
fn table_edits_by_chance_are_undone_to_the_byte() {
    let texts = [
        GUARD.to_owned(),
        GUARD.replace('\n', "\r\n"),
        "\u{feff}blackboard scope=world { /* a */ key a type=int; /-key b type=int; }\nleaves { action go; }".to_owned(),
        "tree t { key own type=vec2 default=\"1, 2\"; in port type=enum { /* v */ value x y; }; action go; }".to_owned(),
        String::from("leaves {}\nblackboard {}\ntree t {\n\tscope {\n\t\tkey a type=int \\\n\t\t\tdefault=3 // three\n\t\taction go\n\t}\n}\n"),
    ];
    let mut done = 0;
    for (seed, text) in texts.iter().enumerate() {
        let mut random = Random::new(seed as u64 + 1);
        let mut editor = Editor::new(Document::parse(text, "test.kdl")).expect("KDL");
        let mut undos = vec![];
        for _ in 0..160 {
            if editor.outline().nodes().is_empty() {
                break;
            }
            let before = editor.text(0).to_owned();
            let Ok(change) = by_chance(&mut random, &editor) else {
                continue;
            };
            undos.push((editor.apply(&change).expect("made for this text"), before));
            assert!(editor.is_whole(0), "{}", editor.text(0));
            // Whatever is named in a row is there.
            let outline = editor.outline();
            let uses = editor.keys().into_iter().flat_map(|row| row.uses);
            uses.for_each(|one| assert!(outline.node(one.id).is_some()));
            done += 1;
        }
        for (undo, before) in undos.iter().rev() {
            editor.apply(undo).expect("undone");
            assert_eq!(editor.text(0), before);
        }
        assert_eq!(editor.text(0), text);
    }
    assert!(done > 150, "{done}");
}
