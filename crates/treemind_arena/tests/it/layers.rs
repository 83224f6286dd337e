//! A boss in layers: feet and arms.

use crate::Play;

const LAYERS: Play = Play {
    document: "15-layers/boss.kdl",
    map: "15-layers/pit.map",
    what: "",
};

#[test]
fn feet_and_arms_do_their_own_and_agree_by_one_key() {
    let story = LAYERS.story(900);
    let told = story.about(&["boss", "dies"]);
    let until = told.iter().position(|line| line.starts_with("377"));
    assert_eq!(
        told[..until.unwrap()],
        [
            "1: the boss stands",
            "289: the boss sees the fighter",
            "289: the boss runs on",
            "313: the boss walks on",
            "324: the boss leaps",
            "330: the boss strikes lightly",
            "330: the boss stands",
            "338: the boss takes 15 damage, 245 left",
            "345: the boss stands",
            "346: the boss strikes lightly",
            "346: the boss stands",
            "352: the boss takes 13 damage, 232 left",
            "359: the boss stands",
            "360: the boss swings",
            "360: the boss stands",
            "366: the boss takes 15 damage, 217 left",
            "366: the boss strikes",
            "376: the boss stands",
        ]
    );
    let count = |text: &str| story.about(&[text]).len();
    assert!(count("boss swings") >= 4);
    assert_eq!(count("the fighter dies"), 1);
}
