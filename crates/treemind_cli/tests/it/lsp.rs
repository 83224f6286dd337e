//! `treemind lsp`, with an editor that nobody here has written.

use crate::{data, treemind_in};
use std::fs;
use std::process::{Command, Stdio};

const GUARD: &str = r#"blackboard { key health type=float default=100.0; }
leaves { action patrol; action rest; }
tree guard {
    // 守卫
    sequence {
        check "health < 20"
        set "health = 1.0"
        action patrl
    }
}
"#;

/// Whether Neovim is there. Where everything is checked it has to be; elsewhere it may be missing.
fn has_neovim() -> bool {
    let mut command = Command::new("nvim");
    command.arg("--version").stdout(Stdio::null());
    let is_there = command.status().is_ok_and(|status| status.success());
    let is_wanted = std::env::var_os("CI").is_some();
    assert!(
        is_there || !is_wanted,
        "`cargo xtask ci --install` installs Neovim"
    );
    is_there
}

#[test]
fn neovim_completes_hovers_renames_fixes_and_formats() {
    if !has_neovim() {
        eprintln!("no Neovim on this machine, so it is left out");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("guard.kdl"), GUARD).expect("a file");
    let script = data().join("neovim.lua");
    let output = Command::new("nvim")
        .current_dir(folder.path())
        .args(["--headless", "--clean", "guard.kdl", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("TREEMIND", env!("CARGO_BIN_EXE_treemind"))
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("Neovim starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("all is well"),
        "{said}"
    );
    let text = fs::read_to_string(folder.path().join("guard.kdl")).expect("a file");
    assert!(
        text.contains("action patrol\n        action rest\n"),
        "{text}"
    );
}

#[test]
fn it_ends_with_the_editor() {
    let message = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let begin =
        message(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    let end = message(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#)
        + &message(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    let ran = treemind_in(&data(), "lsp --stdio", format!("{begin}{end}").as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.starts_with("Content-Length: ") && ran.out.contains("hoverProvider"),
        "{}",
        ran.out
    );
    let ran = treemind_in(&data(), "lsp", begin.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the editor went away"), "{}", ran.err);
}
