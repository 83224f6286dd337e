//! Folders that are opened from the page, documents that import others, and empty ones.

use crate::browser::Browser;
use crate::hands::until_file;
use crate::program::{Studio, Talk};
use crate::server::until;
use serde_json::{Value, json};

fn ask(talk: &mut Talk, folder: &str, opens: bool) -> Value {
    talk.say(&json!({"say": "folder", "folder": folder, "opens": opens}).to_string());
    talk.hear()
}

/// Only what was named, what is below it, and what is allowed besides; links lead nowhere else.
#[test]
fn only_allowed_folders_are_opened() {
    let all = tempfile::tempdir().expect("a folder");
    let path = |name: &str| all.path().join(name).to_str().expect("a path").to_owned();
    for name in ["mine/sub", "other", "shared", "mine/.hidden"] {
        std::fs::create_dir_all(path(name)).expect("a folder");
    }
    for name in [
        "mine/a.kdl",
        "mine/sub/b.kdl",
        "other/c.kdl",
        "shared/d.kdl",
    ] {
        std::fs::write(path(name), "tree a { wait 1.0; }\n").expect("it is written");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path("other"), path("mine/link")).expect("a link");
        std::os::unix::fs::symlink(path("other/c.kdl"), path("mine/sub/c.kdl")).expect("a link");
    }
    let (mine, shared) = (path("mine"), path("shared"));
    let studio = Studio::start(&[&mine, "--allow-folder", &shared]);
    let mut talk = studio.talk();
    let found = ask(&mut talk, "", false);
    assert_eq!(found["folders"], json!([mine, shared]), "{found}");
    let found = ask(&mut talk, &mine, false);
    assert_eq!(found["folders"], json!([path("mine/sub")]), "{found}");
    assert_eq!(
        (&found["documents"], &found["up"]),
        (&json!(["a.kdl", "sub/b.kdl"]), &json!(""))
    );
    let found = ask(&mut talk, &path("mine/sub"), true);
    assert_eq!(found["is_opened"], true, "{found}");
    assert_eq!(
        found["files"],
        json!([path("mine/a.kdl"), path("mine/sub/b.kdl")])
    );
    // A new document goes there.
    talk.say(&json!({"say": "make", "name": "new.kdl", "folder": path("mine/sub"), "origin": {"of": "tree"}}).to_string());
    assert_eq!(talk.hear()["kind"], "made");
    assert!(all.path().join("mine/sub/new.kdl").exists());
    for outside in [
        path("other"),
        path("mine/link"),
        path("mine/../other"),
        path("nowhere"),
        path("mine/a.kdl"),
        "/".to_owned(),
        "..".to_owned(),
    ] {
        let refused = ask(&mut talk, &outside, true);
        assert_eq!(refused["kind"], "refused", "{outside}: {refused}");
        talk.say(
            &json!({"say": "make", "name": "x.kdl", "folder": outside, "origin": {"of": "tree"}})
                .to_string(),
        );
        assert_eq!(talk.hear()["kind"], "refused", "{outside}");
    }
    let mut guest = studio.talk_without_token();
    assert_eq!(ask(&mut guest, &mine, false)["kind"], "refused");
}

/// A folder whose documents are in folders below it is opened with them: what is hidden, made by programs or linked is not.
#[test]
fn documents_in_folders_below_are_there_too() {
    let all = tempfile::tempdir().expect("a folder");
    let path = |name: &str| all.path().join(name).to_str().expect("a path").to_owned();
    let deep = "mine/1/2/3/4/5/6/7/8/deep.kdl";
    let left_out = [
        "mine/1/2/3/4/5/6/7/8/9/deeper.kdl",
        "mine/.git/hidden.kdl",
        "mine/target/made.kdl",
        "mine/a/node_modules/made.kdl",
        "mine/a/package.json",
        "other/linked.kdl",
    ];
    let kept = ["mine/z.kdl", deep, "mine/a/a.kdl", "mine/b/b.scxml"];
    for name in kept.iter().chain(&left_out) {
        let path = all.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, "tree a { wait 1.0; }\n").expect("it is written");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path("other"), path("mine/link")).expect("a link");
        std::os::unix::fs::symlink(path("other/linked.kdl"), path("mine/a/linked.kdl"))
            .expect("a link");
        std::os::unix::fs::symlink(path("mine"), path("mine/a/round")).expect("a link");
    }
    let studio = Studio::start(&[&path("mine")]);
    let mut talk = studio.talk();
    talk.say(&json!({"say": "hello"}).to_string());
    assert_eq!(
        talk.hear()["files"],
        // Its own documents come first.
        json!([
            path("mine/z.kdl"),
            path(deep),
            path("mine/a/a.kdl"),
            path("mine/b/b.scxml")
        ])
    );
    let found = ask(&mut talk, &path("mine/a"), false);
    assert_eq!(
        found["documents"],
        json!(["a.kdl", "package.json"]),
        "{found}"
    );
}

/// A file that cannot be read is said, and the others of the folder are opened.
#[test]
fn one_bad_file_does_not_close_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let huge = std::fs::File::create(path("huge.kdl")).expect("it is created");
    huge.set_len(1 << 33)
        .expect("it is as long as a disk has room");
    std::fs::write(path("small.kdl"), "tree a { wait 1.0; }\n").expect("it is written");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut talk = studio.talk();
    talk.say(&json!({"say": "hello"}).to_string());
    assert_eq!(
        talk.hear()["files"],
        json!([path("huge.kdl"), path("small.kdl")])
    );
}

/// A copy of an example plays where the example plays, unless the folder has a map of its own.
#[test]
fn a_copied_example_brings_its_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut talk = studio.talk();
    let mut copy = |name: &str, file: &str| {
        let origin = json!({"of": "copy", "file": file});
        talk.say(&json!({"say": "make", "name": name, "origin": origin}).to_string());
        talk.hear()
    };
    let made = copy("mine.kdl", "04-cleaning-robot/robot.kdl");
    assert_eq!(
        (&made["kind"], &made["lost"]),
        (&json!("made"), &json!([])),
        "{made}"
    );
    let examples = crate::program::root().join("examples/04-cleaning-robot");
    let maps = std::fs::read_dir(examples).expect("a folder");
    let mut maps = maps.map(|entry| entry.expect("an entry").path());
    let map = maps.find(|path| path.extension().is_some_and(|end| end == "map"));
    assert_eq!(
        std::fs::read(folder.path().join("mine.map")).expect("a map"),
        std::fs::read(map.expect("a map")).expect("a map")
    );
    // Each copy has a map of its own.
    let made = copy("guard.kdl", "01-guard/guard.kdl");
    assert_eq!(made["lost"], json!([]), "{made}");
    assert!(folder.path().join("guard.map").exists());
}

#[test]
#[ignore = "needs Chromium"]
fn a_folder_is_opened_and_an_empty_document_is_begun() {
    let all = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(all.path().join("mine/sub")).expect("a folder");
    std::fs::write(all.path().join("mine/a.kdl"), "tree a { wait 1.0; }\n").expect("it is written");
    let empty = all.path().join("mine/sub/empty.kdl");
    std::fs::write(&empty, "").expect("it is written");
    let studio = Studio::start(&[all.path().join("mine").to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    // Of several files, one chooses first.
    page.until("[...document.querySelectorAll('.begin button')].find(one => one.textContent.includes('another folder'))");
    page.value("[...document.querySelectorAll('.begin button')].find(one => one.textContent.includes('another folder')).click()");
    for name in ["mine", "sub"] {
        page.until(&format!(
            "document.querySelector('.folders [data-folder$={name}]')"
        ));
        page.click_on(&format!(".folders [data-folder$={name}]"));
    }
    page.until("document.querySelector('.folders small').textContent.includes('empty.kdl')");
    page.click_on(".open-folder");
    page.until("document.querySelector('.home [data-file$=\"empty.kdl\"]')");
    page.click_on(".home [data-file$=\"empty.kdl\"]");
    page.until("window.treemind.model.view.value.file.endsWith('empty.kdl')");
    page.press("E");
    page.until("document.querySelector('.editing .told')?.textContent.includes('empty')");
    page.value("document.querySelector('.sheet').focus()");
    page.type_to_add("a", "tree hero");
    until_file(&empty, "tree hero\n");
}

/// What two versions of an imported file say is compared, too, also with the last commit.
#[test]
fn imports_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kdl");
    let common = folder.path().join("common.kdl");
    std::fs::write(&path, "import \"common.kdl\"\ntree a { subtree b; }\n").expect("it is written");
    std::fs::write(&common, "tree b { wait 1.0; }\n").expect("it is written");
    crate::begin::git(folder.path(), &["init", "-q"]);
    crate::begin::git(folder.path(), &["add", "."]);
    crate::begin::git(folder.path(), &["commit", "-qm", "first"]);
    std::fs::write(&common, "tree b { wait 2.0; }\n").expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let view = until(&mut talk, r#""sheet": 0"#, |view| view["sheet"].is_object());
    assert_eq!(view["definition"]["is_in_git"], true, "{view}");
    talk.say(&json!({"say": "compare", "versus": {"with": "commit"}}).to_string());
    let found = talk.hear();
    let nodes = found["nodes"].as_array().expect("nodes");
    let changed: Vec<_> = nodes.iter().filter(|node| node["how"] != "same").collect();
    assert_eq!(changed.len(), 1, "{found}");
    assert_eq!(
        (&changed[0]["says"], &changed[0]["path"]),
        (
            &json!({"says": "{} → {}", "with": ["1.0", "2.0"]}),
            &json!(["tree b"])
        )
    );
    let tops: Vec<_> = nodes.iter().filter(|node| node["depth"] == 0).collect();
    assert_eq!(tops[2]["file"], "common.kdl", "{found}");
}

/// A file that appears in a folder that is open can be opened, without a restart.
#[test]
fn files_that_appear_are_listed() {
    let all = tempfile::tempdir().expect("a folder");
    let path = |name: &str| all.path().join(name).to_str().expect("a path").to_owned();
    std::fs::create_dir_all(path("sub")).expect("a folder");
    std::fs::write(path("a.kdl"), "tree a { wait 1.0; }\n").expect("it is written");
    let studio = Studio::start(&[all.path().to_str().expect("a path")]);
    let mut talk = studio.talk();
    let mut listed = || {
        talk.say(r#"{"say": "files"}"#);
        talk.hear()
    };
    assert_eq!(listed()["files"], json!([path("a.kdl")]));
    std::fs::write(path("sub/b.kdl"), "tree b { wait 1.0; }\n").expect("it is written");
    std::fs::write(path("notes.txt"), "no document").expect("it is written");
    let now = listed();
    assert_eq!(now["kind"], "files");
    assert_eq!(now["files"], json!([path("a.kdl"), path("sub/b.kdl")]));
    let look = json!({"say": "look", "mind": 0, "file": path("sub/b.kdl")});
    talk.say(&look.to_string());
    assert_eq!(talk.hear()["file"], path("sub/b.kdl"));
}
