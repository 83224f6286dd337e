//! The child's day: hunger, homework, the ball, and bed.

use crate::Play;
use treemind_arena::Kind;

const CHILD: Play = Play {
    document: "11-child/child.kdl",
    map: "11-child/home.map",
    what: "",
};

#[test]
fn hunger_comes_first_then_homework_then_the_ball() {
    let story = CHILD.story(2_300);
    assert_eq!(
        story.about(&["child", "night"]),
        [
            "1: night is 0",
            "1: the child does its homework",
            "128: the child is done: a piece of homework",
            "129: the child does its homework",
            "208: the child is done: a piece of homework",
            "209: the child looks around",
            "249: the child breaks its watch off",
            "249: the child plays ball",
            "280: the child opens a door",
            "301: the child breaks its game off",
            "301: the child eats",
            "391: the child has eaten",
            "392: the child plays ball",
            "420: the child opens a door",
            "497: the child takes a ball",
            "714: the child is done: a game",
            "715: the child looks around",
            "755: the child breaks its watch off",
            "755: the child plays ball",
            "755: the child takes a ball",
            "979: the child is done: a game",
            "980: the child plays ball",
            "980: the child takes a ball",
            "992: the child breaks its game off",
            "992: the child cooks",
            "1200: the child has 2 homework",
            "1229: the child has cooked",
            "1229: the child eats",
            "1313: the child has eaten",
            "1314: the child does its homework",
            "1480: the child is done: a piece of homework",
            "1481: the child does its homework",
            "1560: the child is done: a piece of homework",
            "1561: the child plays ball",
            "1679: the child takes a ball",
            "1895: the child is done: a game",
            "1896: the child plays ball",
            "1896: the child takes a ball",
            "1914: the child breaks its game off",
            "1914: the child eats",
            "2000: night is 1",
            "2000: the child breaks its meal off",
            "2000: the child goes to bed",
            "2106: the child uses a bed",
        ]
    );
    // The ball lies about, and nobody has it.
    let ball = story
        .world()
        .things()
        .iter()
        .find(|thing| thing.kind == Kind::Ball);
    assert!(ball.unwrap().queue.is_empty());
}
