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
            "1: night: no",
            "1: the child does its homework",
            "128: the child finishes a piece of homework",
            "129: the child does its homework",
            "208: the child finishes a piece of homework",
            "209: the child looks around",
            "249: the child breaks off its watch",
            "249: the child plays ball",
            "280: the child opens a door",
            "301: the child breaks off its game",
            "301: the child eats",
            "391: the child has eaten",
            "392: the child plays ball",
            "420: the child opens a door",
            "497: the child picks up a ball",
            "714: the child finishes a game",
            "715: the child looks around",
            "755: the child breaks off its watch",
            "755: the child plays ball",
            "755: the child picks up a ball",
            "979: the child finishes a game",
            "980: the child plays ball",
            "980: the child picks up a ball",
            "992: the child breaks off its game",
            "992: the child cooks",
            "1200: the child has 2 pieces of homework",
            "1229: the child has cooked",
            "1229: the child eats",
            "1313: the child has eaten",
            "1314: the child does its homework",
            "1480: the child finishes a piece of homework",
            "1481: the child does its homework",
            "1560: the child finishes a piece of homework",
            "1561: the child plays ball",
            "1679: the child picks up a ball",
            "1895: the child finishes a game",
            "1896: the child plays ball",
            "1896: the child picks up a ball",
            "1914: the child breaks off its game",
            "1914: the child eats",
            "2000: night: yes",
            "2000: the child breaks off its meal",
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
