//! Every target on all its seeds, and on everything that fuzzing has found.

use treemind_fuzz::{TARGETS, seeds, words};

#[test]
fn every_target_takes_its_seeds() {
    for target in TARGETS {
        let seeds = seeds(&target).expect("the files of this project can be read");
        assert!(!seeds.is_empty(), "{} has seeds", target.name);
        for seed in seeds {
            (target.check)(&seed);
        }
    }
}

#[test]
fn the_dictionary_has_the_words_of_documents() {
    let words = words();
    for word in ["sequence", "blackboard", "cooldown", "type"] {
        assert!(words.contains(word), "{word}");
    }
}
