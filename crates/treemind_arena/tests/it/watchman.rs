//! The watchman: alarm, strangers, weather, and random choices otherwise.

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
            "1: weather: clear",
            "1: alarm_on: no",
            "1: the watchman looks around",
            "300: weather: rain",
            "300: the watchman breaks off its watch",
            "300: the watchman walks to its hut",
            "397: the watchman is hidden",
            "420: alarm_on: yes",
            "420: the watchman breaks off its walk",
            "420: the watchman runs to the alarm",
            "527: the watchman arrives",
            "528: the watchman walks to its hut",
            "700: weather: clear",
            "700: the watchman breaks off its walk",
            "700: the watchman walks its round",
            "812: the watchman walks its round",
            "860: the watchman breaks off its round",
            "860: the watchman looks around",
            "975: the watchman sees the stranger",
            "1091: the watchman breaks off its watch",
            "1091: the watchman strikes",
            "1124: the stranger dies",
            "1125: the watchman breaks off its blow",
            "1125: the watchman walks its round",
            "1200: the watchman has 0 rounds",
            "1225: the watchman loses track of the stranger",
            "1249: the watchman sees the thug",
            "1310: the watchman walks its round",
            "1311: the watchman breaks off its round",
            "1311: the watchman walks to its hut",
            "1435: the watchman breaks off its walk",
            "1435: the watchman walks its round",
            "1439: the watchman breaks off its round",
            "1439: the watchman walks to its hut",
            "1519: the watchman breaks off its walk",
            "1519: the watchman walks its round",
            "1715: the watchman walks to its hut",
            "1716: the watchman breaks off its walk",
            "1716: the watchman looks around",
        ]
    );
}
