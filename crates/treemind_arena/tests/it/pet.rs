//! The pet: coins, and an owner.

use crate::Play;
use treemind_arena::Kind;

const PET: Play = Play {
    document: "02-pet/pet.kdl",
    map: "02-pet/garden.map",
    what: "",
};

#[test]
fn it_picks_up_coins_and_goes_back_to_its_owner_when_both_are_long_ago() {
    let story = PET.story(1_800);
    assert_eq!(
        story.about(&["pet"]),
        [
            "1: the pet strolls",
            "52: the pet goes for a coin",
            "52: the pet breaks its stroll off",
            "103: the pet takes a coin",
            "104: the pet strolls",
            "280: the pet goes for a coin",
            "280: the pet breaks its stroll off",
            "335: the pet takes a coin",
            "336: the pet goes for a coin",
            "379: the pet takes a coin",
            "380: the pet strolls",
            "680: the pet runs to its owner",
            "680: the pet breaks its stroll off",
            "770: the pet is where it was to go",
            "771: the pet strolls",
            "1273: the pet runs to its owner",
            "1273: the pet breaks its stroll off",
            "1389: the pet is where it was to go",
            "1390: the pet strolls",
        ]
    );
    let things = story.world().things();
    assert!(things.iter().all(|thing| thing.kind != Kind::Coin));
}
