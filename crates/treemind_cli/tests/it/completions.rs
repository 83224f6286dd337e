use crate::treemind;

#[test]
fn every_shell_learns_the_subcommands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = treemind(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        assert!(
            ran.out.contains("trace") && ran.out.contains("halt-at"),
            "{shell}: {}",
            ran.out
        );
    }
}
