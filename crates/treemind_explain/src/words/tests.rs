//! The table itself. That both texts of a sentence have the same holes, the compiler says.

use super::table::ALL;
use super::{Join, Language, Words, is_chinese};
use crate::say;

/// A text without its holes and what stands in backticks.
fn bare(text: &str) -> String {
    let parts = text.split('`').step_by(2);
    let parts = parts.flat_map(|part| part.split('{').map(|one| one.rsplit('}').next()));
    parts.flatten().collect()
}

#[test]
fn every_sentence_is_in_both_languages() {
    for (english, chinese) in ALL {
        let (here, there) = (bare(english), bare(chinese));
        assert!(!here.chars().any(is_chinese), "{english}");
        assert!(
            !there.chars().any(|one| one.is_ascii_alphabetic()),
            "{chinese}"
        );
        let has_words = here.chars().any(|one| one.is_ascii_alphabetic());
        assert!(
            !has_words || there.chars().any(is_chinese),
            "{english}: {chinese}"
        );
    }
}

#[test]
fn lists_and_spaces_are_those_of_the_language() {
    let names = || ["a", "b", "c"].map(Words::code);
    let [two, three] = [2, 3].map(|many| Words::several(Join::And, names().into_iter().take(many)));
    assert_eq!(two.written(Language::English), "`a` and `b`");
    assert_eq!(three.written(Language::English), "`a`, `b` and `c`");
    assert_eq!(three.written(Language::Chinese), "`a`、`b` 和 `c`");
    let changed = say!(
        ChangedFrom,
        key = Words::code("血量hp"),
        from = Words::value("unset"),
        to = Words::value("18"),
        when = say!(InTick, tick = Words::Tick(9)),
        by = say!(GameWrote)
    );
    assert_eq!(changed.tick(), Some(9));
    assert_eq!(
        changed.written(Language::English),
        "`血量hp` changed from unset to 18 in tick 9: the game wrote it"
    );
    assert_eq!(
        changed.written(Language::Chinese),
        "`血量hp` 在第 9 帧从未设置变为 `18`：由游戏写入"
    );
}
