//! Documents of several files.

use std::collections::HashMap;
use treemind_doc::{Code, Document};

/// Reads `main.kdl` of these files.
fn read(files: &[(&str, &str)]) -> Document {
    read_counted(files).0
}

/// The same, and the paths that were requested.
fn read_counted(files: &[(&str, &str)]) -> (Document, Vec<String>) {
    let map: HashMap<&str, &str> = files.iter().copied().collect();
    let mut asked = Vec::new();
    let document = Document::read_with(map["main.kdl"].as_bytes(), "main.kdl", |path| {
        asked.push(path.to_owned());
        let path = path.replace('\\', "/");
        map.get(path.as_str())
            .map(|text| text.as_bytes().to_vec())
            .ok_or("gone")
    });
    (document, asked)
}

fn codes(document: &Document) -> Vec<(String, Code)> {
    let said = document.diagnostics().iter();
    said.map(|item| (item.source().name().to_owned(), item.code()))
        .collect()
}

const LEAVES: &str =
    "leaves { condition see-enemy; action patrol { param speed type=float default=1.5; }; }";
const KEYS: &str = "blackboard { key mood type=enum { value calm angry; }; }";
const WALK: &str = "import \"leaves.kdl\"; import \"keys.kdl\"
    tree walk { in speed type=float; sequence { action patrol speed=\"{speed}\"; set \"mood = angry\"; }; }";

#[test]
fn definitions_of_all_files_are_known_in_all_of_them() {
    let main = "import \"parts/walk.kdl\"
        import \"parts/leaves.kdl\"
        tree guard { sequence { condition see-enemy; check \"mood == calm\"; subtree walk speed=2; }; }";
    let files = [
        ("main.kdl", main),
        ("parts/leaves.kdl", LEAVES),
        ("parts/keys.kdl", KEYS),
        ("parts/walk.kdl", WALK),
    ];
    let (document, asked) = read_counted(&files);
    assert_eq!(document.diagnostics(), []);
    // Each file is read once, however many files import it.
    assert_eq!(asked.len(), 3, "{asked:?}");
    let names: Vec<&str> = document.trees().iter().map(|tree| tree.name()).collect();
    assert_eq!(names, ["guard", "walk"]);
    let walk = &document.trees()[1];
    assert_eq!(walk.source().slice(&walk.span()), "walk");
    assert!(walk.source().name().ends_with("walk.kdl"));
    let sources: Vec<&str> = document.sources().map(|source| source.name()).collect();
    assert_eq!(sources.len(), 4);
    assert_eq!(sources[0], "main.kdl");
    // By default, the only tree of the file itself runs.
    let guard = document.behaviour(None).unwrap();
    assert_eq!((guard.name(), guard.nodes().len()), ("guard", 6));
    assert_eq!(document.behaviour(Some("walk")).unwrap().name(), "walk");
}

#[test]
fn what_is_imported_does_not_say_what_runs_and_is_not_warned_of() {
    let parts = "blackboard { key unused type=int; }
        tree walk { repeat 0 { succeed; }; }
        tree stand { sequence { fail; succeed; }; }
        main tree=walk";
    let alone = Document::parse(parts, "parts.kdl");
    assert!(alone.diagnostics().len() >= 3, "{:?}", alone.diagnostics());
    let main = "import \"parts.kdl\"; tree guard { fail; }; tree dog { succeed; }";
    let document = read(&[("main.kdl", main), ("parts.kdl", parts)]);
    assert_eq!((document.diagnostics(), document.main()), (&[][..], None));
    let error = document.behaviour(None).unwrap_err();
    assert_eq!(error[0].code(), Code::NoTree);
    let main = "import \"parts.kdl\"; main tree=stand";
    let document = read(&[("main.kdl", main), ("parts.kdl", parts)]);
    assert_eq!(document.behaviour(None).unwrap().name(), "stand");
}

#[test]
fn a_part_without_a_tree_is_well_but_does_not_run() {
    let document = Document::parse(LEAVES, "leaves.kdl");
    assert_eq!(document.diagnostics(), []);
    let error = document.behaviour(None).unwrap_err();
    assert_eq!(
        error.to_plain(),
        "leaves.kdl:1:1: error[T0304]: there is no tree in this document\n  help: write `tree NAME { … }` with the first node of the tree in its block\n"
    );
    let document = read(&[
        ("main.kdl", "import \"leaves.kdl\""),
        ("leaves.kdl", LEAVES),
    ]);
    assert_eq!(document.diagnostics(), []);
    assert!(document.behaviour(None).is_err());
}

#[test]
fn mistakes_have_the_place_in_their_own_file() {
    let parts = "\n\ntree walk {\n    sequence {\n        check \"moood\"\n    }\n}\n";
    let main = "import \"keys.kdl\"; import \"parts.kdl\"
        tree guard { sequence { check \"mood == clam\"; subtree walk; }; }";
    let document = read(&[("main.kdl", main), ("keys.kdl", KEYS), ("parts.kdl", parts)]);
    let said: String = document
        .diagnostics()
        .iter()
        .map(|item| item.to_plain())
        .collect();
    assert_eq!(
        said,
        "main.kdl:2:48: error[T0108]: unknown key or value `clam`\n  help: did you mean `calm`?\n\
         parts.kdl:5:16: error[T0103]: unknown key `moood`\n  help: did you mean `mood`?\n"
    );
}

#[test]
fn files_that_cannot_be_read_keep_the_rest_from_being_checked() {
    // Otherwise all names that the missing file declares would be reported as unknown.
    let main = "import \"gone.kdl\"; tree guard { action patrol; }";
    let document = read(&[("main.kdl", main)]);
    assert_eq!(codes(&document), [("main.kdl".to_owned(), Code::Import)]);
    let document = Document::parse(main, "main.kdl");
    assert_eq!(codes(&document), [("main.kdl".to_owned(), Code::Import)]);
    assert!(
        document.diagnostics()[0]
            .message()
            .contains("reads no other files")
    );
}

#[test]
fn no_number_of_files_hangs_or_overflows() {
    // Every file imports the next one, without end.
    let next = |path: &str| -> Result<Vec<u8>, String> {
        let number: usize = path.trim_end_matches(".kdl").parse().map_err(|_| "gone")?;
        Ok(format!(
            "import \"{}.kdl\"; tree t{number} {{ succeed; }}",
            number + 1
        )
        .into_bytes())
    };
    let document = Document::read_with(b"import \"0.kdl\"", "main.kdl", next);
    let codes = codes(&document);
    assert_eq!(codes.len(), 1);
    assert_eq!(codes[0].1, Code::TooLarge);
    assert_eq!(document.sources().count(), 256);
    // All files import all files.
    let all: String = (0..200)
        .map(|file| format!("import \"{file}.kdl\"\n"))
        .collect();
    let document = Document::read_with(all.as_bytes(), "main.kdl", |_| {
        Ok::<_, String>(all.clone().into_bytes())
    });
    assert!(document.has_errors());
    assert!(document.diagnostics().len() <= 501);
    // A long chain of files that leads back to the first.
    let ring = |path: &str| -> Result<Vec<u8>, String> {
        let number: usize = path.trim_end_matches(".kdl").parse().map_err(|_| "gone")?;
        Ok(format!("import \"{}.kdl\"", (number + 1) % 250).into_bytes())
    };
    let document = Document::read_with(b"import \"0.kdl\"", "main.kdl", ring);
    let said: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|item| item.message())
        .collect();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("`0.kdl` imports itself: `0.kdl` → `1.kdl`"),
        "{said:?}"
    );
}

#[test]
fn a_manifest_is_imported_as_it_was_written() {
    let manifest = Document::parse(LEAVES, "leaves.kdl").manifest();
    let kdl = manifest.to_kdl();
    let main = "import \"leaves.kdl\"; tree guard { action patrol speed=2; }";
    let document = read(&[("main.kdl", main), ("leaves.kdl", &kdl)]);
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.manifest(), manifest);
}

/// The help of each diagnostic, for a document with others beside it, in the order of the text.
fn helps(own: &str, others: &[(&str, &str)]) -> Vec<String> {
    let mut document = Document::parse(own, "folder/own.kdl");
    let others: Vec<(&str, Document)> = others
        .iter()
        .map(|(name, text)| (*name, Document::parse(text, &format!("folder/{name}"))))
        .collect();
    let others: Vec<(&str, &Document)> = others.iter().map(|(name, one)| (*name, one)).collect();
    document.suggest_imports(&others);
    let helps = document.diagnostics().iter();
    helps
        .map(|item| item.help().unwrap_or("").to_owned())
        .collect()
}

#[test]
fn what_is_misspelt_is_not_looked_for_elsewhere() {
    // The declaration was renamed. A file beside it still has the old name, and all the other names, too.
    let own = "leaves { condition see-enemi; action go; }\ntree t { sequence { condition see-enemy; action go; }; }";
    let classic = own.replace("see-enemi", "see-enemy");
    assert_eq!(
        helps(own, &[("classic.kdl", &classic)]),
        ["did you mean `see-enemi`?"]
    );
}

#[test]
fn files_that_bring_errors_are_not_suggested() {
    let own = "leaves { action go; }\ntree t { sequence { condition far-away; action go; }; }";
    let clashes =
        "leaves { condition far-away; action go; }\ntree other { action go; condition x; }";
    let clashing = "leaves { condition far-away; action go; }";
    let broken = "leaves { condition far-away; }\ntree b { action gone; }";
    let circular = "import \"own.kdl\"\nleaves { condition far-away; }";
    let good = "leaves { condition far-away; }";
    for bad in [clashes, clashing, broken, circular] {
        let found = helps(own, &[("a.kdl", bad)]);
        assert!(!found[0].contains("import"), "{bad}: {found:?}");
        let found = helps(own, &[("a.kdl", bad), ("b.kdl", good)]);
        assert_eq!(
            found,
            ["import it from b.kdl, which has a condition of that name: `import \"b.kdl\"`"]
        );
    }
    // The suggestion works.
    let with_import = format!("import \"b.kdl\"\n{own}");
    let load = |_: &str| Ok::<_, String>(good.as_bytes().to_vec());
    let document = Document::read_with(with_import.as_bytes(), "folder/own.kdl", load);
    assert!(!document.has_errors());
}

/// The name that is looked for is the one that was meant, and not the text around it or another thing of that name.
#[test]
fn what_to_import_is_found_by_the_name_and_not_by_the_text_around_it() {
    let keys = "blackboard { key ammo type=int default=6; }";
    let found = "import it from keys.kdl, which has a key of that name: `import \"keys.kdl\"`";
    let leaves = "leaves { action attack { param with type=int; }; }";
    for own in [
        format!("{leaves}\ntree t {{ action attack with=\"{{ammo}}\"; }}"),
        format!("{leaves}\ntree t {{ action attack with=\"=ammo + 1\"; }}"),
        "tree t { log \"{ammo} left\"; }".to_owned(),
        "tree t { set #\"ammo = 1\"#; }".to_owned(),
        "tree t { changed #\"ammo\"#; }".to_owned(),
        "tree t { changed \"am\\u{6d}o\"; }".to_owned(),
    ] {
        assert_eq!(helps(&own, &[("keys.kdl", keys)]), [found], "{own}");
    }
    // A semaphore is no key.
    let own = "tree t { check \"free(ammo) > 0\"; }";
    assert_eq!(helps(own, &[("keys.kdl", keys)]), [""]);
}
