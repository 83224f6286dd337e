//! Writes what fuzzing begins with into a folder: `corpus/TARGET/…`, and `words.dict`. Prints the names of the targets.

use std::io::Result;
use std::path::PathBuf;
use treemind_fuzz::{TARGETS, seeds, words};

fn main() -> Result<()> {
    let folder = PathBuf::from(
        std::env::args_os()
            .nth(1)
            .unwrap_or_else(|| "target/fuzz".into()),
    );
    for target in TARGETS {
        let corpus = folder.join("corpus").join(target.name);
        std::fs::create_dir_all(&corpus)?;
        for (number, bytes) in seeds(&target)?.iter().enumerate() {
            std::fs::write(corpus.join(format!("seed-{number:04}")), bytes)?;
        }
        println!("{}", target.name);
    }
    let mut dictionary = String::new();
    for word in words() {
        dictionary.push('"');
        dictionary.push_str(&word.replace('\\', "\\\\").replace('"', "\\\""));
        dictionary.push_str("\"\n");
    }
    std::fs::write(folder.join("words.dict"), dictionary)
}
