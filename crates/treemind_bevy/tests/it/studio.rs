//! Minds in the studio.

use super::*;
use serde_json::{Value as Json, json};
use treemind_bevy::{MindStudio, StudioPlugin};
use tungstenite::Message;

/// What the page is told when it asks for an agent, as soon as something holds.
fn look_until(app: &App, mind: usize, holds: impl Fn(&Json) -> bool) -> Json {
    let url = app.world().resource::<MindStudio>().url();
    let url = url.replace("http://", "ws://") + "socket";
    let (mut socket, _) = tungstenite::connect(url).expect("a web socket");
    let mut seen = 0;
    loop {
        let look = json!({"say": "look", "nth": 1, "seen": seen, "mind": mind});
        socket.send(Message::text(look.to_string())).unwrap();
        let Message::Text(text) = socket.read().expect("a message") else {
            continue;
        };
        let view: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(view["kind"], "view", "{view}");
        if holds(&view) {
            return view;
        }
        seen = view["state"].as_u64().expect("a number");
    }
}

#[test]
fn minds_are_shown_in_one_line() {
    let mut app = guards();
    app.add_plugins(StudioPlugin::default());
    let brain = brain(&mut app, GUARD);
    let guards = [0; 3].map(|_| spawn_guard(&mut app, &brain));
    for _ in 0..5 {
        app.update();
    }
    app.world_mut()
        .get_mut::<Sight>(guards[1])
        .unwrap()
        .see_enemy = true;
    for _ in 0..5 {
        app.update();
    }
    assert!(app.world().entity(guards[1]).contains::<Attack>());
    let view = look_until(&app, 1, |view| view["last"] == 10);
    assert_eq!(
        (&view["does"], &view["tick"]),
        (&json!("attack"), &json!(10))
    );
    assert_eq!(view["definition"]["texts"][0]["name"], "guard.kdl");
    assert_eq!(view["agents"].as_array().unwrap().len(), 3);
    assert_eq!(ticked(&app), 3);
    assert_eq!(problems(&mut app), [""; 0]);
}
