//! The watchman: alarm, strangers, weather, and otherwise what chance says.

use crate::Play;

const WATCHMAN: Play = Play {
    document: "09-watchman/watchman.kdl",
    map: "09-watchman/yard.map",
    what: "",
};

#[test]
fn the_first_reason_decides() {
    let story = WATCHMAN.story(1_800);
    assert_eq!(
        story.about(&["weather", "alarm_on", "watchman", "dies"]),
        [
            "1: weather is clear",
            "1: alarm_on is 0",
            "1: the watchman looks around",
            "300: weather is rain",
            "300: the watchman breaks its watch off",
            "300: the watchman walks to its hut",
            "397: the watchman is hidden",
            "420: alarm_on is 1",
            "420: the watchman breaks its way off",
            "420: the watchman runs to the alarm",
            "527: the watchman is where it was to go",
            "528: the watchman walks to its hut",
            "700: weather is clear",
            "700: the watchman breaks its way off",
            "700: the watchman walks its round",
            "812: the watchman walks its round",
            "860: the watchman breaks its round off",
            "860: the watchman looks around",
            "975: the watchman sees the stranger",
            "1091: the watchman breaks its watch off",
            "1091: the watchman strikes out",
            "1124: the stranger dies",
            "1125: the watchman breaks its blow off",
            "1125: the watchman walks its round",
            "1200: the watchman has 0 ammo",
            "1225: the watchman has lost the stranger",
            "1249: the watchman sees the thug",
            "1310: the watchman walks its round",
            "1311: the watchman breaks its round off",
            "1311: the watchman walks to its hut",
            "1435: the watchman breaks its way off",
            "1435: the watchman walks its round",
            "1439: the watchman breaks its round off",
            "1439: the watchman walks to its hut",
            "1519: the watchman breaks its way off",
            "1519: the watchman walks its round",
            "1715: the watchman walks to its hut",
            "1716: the watchman breaks its way off",
            "1716: the watchman looks around",
        ]
    );
}
