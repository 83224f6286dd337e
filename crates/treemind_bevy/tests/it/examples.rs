//! The examples do what they are there for.

#[path = "../../examples/guard.rs"]
mod guard;
#[path = "../../examples/village.rs"]
mod village;

use super::*;

#[test]
fn the_guard_fights_flees_and_comes_back() {
    let mut app = guard::app();
    let begun = std::time::Instant::now();
    let mut did: Vec<&str> = Vec::new();
    let mut ticks = 0;
    while ticks < 600 {
        app.update();
        match guard::report(app.world_mut()) {
            Some((doing, _, health)) => {
                ticks += 1;
                assert!(health > 0.0);
                if did.last() != Some(&doing) {
                    did.push(doing);
                }
            }
            None => assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it is never loaded"
            ),
        }
    }
    let expected = ["patrol", "attack", "flee", "patrol", "attack", "patrol"];
    assert_eq!(did, expected);
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn villagers_live_their_day() {
    let mut app = village::app(300);
    let mut most = village::census(app.world_mut());
    for _ in 0..2400 {
        app.update();
        for (most, now) in most.iter_mut().zip(village::census(app.world_mut())) {
            most.1 = most.1.max(now.1);
        }
    }
    assert!(most.iter().all(|(_, count)| *count > 0), "{most:?}");
    let night = village::census(app.world_mut());
    assert!(night[1].1 > 150, "{night:?}");
    assert_eq!(problems(&mut app), [""; 0]);
}
