//! What a hand does with a mouse, beyond a click.

use crate::browser::Browser;
use serde_json::json;

type Place = (f64, f64);

/// Shift, as the browser counts it.
const SHIFT: u8 = 8;

impl Browser {
    /// Presses the left button at a point, and moves to another one in steps, without letting go.
    pub(crate) fn grab(&mut self, from: Place, to: Place) {
        self.pull(from, to, 0);
    }

    fn pull(&mut self, from: Place, to: Place, keys: u8) {
        self.mouse("mouseMoved", from, ("none", 0), keys);
        self.mouse("mousePressed", from, ("left", 1), keys);
        for part in [0.3, 0.7, 1.0] {
            let at = (
                from.0 + (to.0 - from.0) * part,
                from.1 + (to.1 - from.1) * part,
            );
            self.mouse("mouseMoved", at, ("left", 1), keys);
        }
    }

    /// Lets go of the left button.
    pub(crate) fn let_go(&mut self, at: Place) {
        self.mouse("mouseReleased", at, ("left", 0), 0);
    }

    /// Drags with Shift held.
    pub(crate) fn drag_with_shift(&mut self, from: Place, to: Place) {
        self.pull(from, to, SHIFT);
        self.mouse("mouseReleased", to, ("left", 0), SHIFT);
    }

    /// Clicks with the right button.
    pub(crate) fn right_click(&mut self, at: Place) {
        self.mouse("mouseMoved", at, ("none", 0), 0);
        self.mouse("mousePressed", at, ("right", 2), 0);
        self.mouse("mouseReleased", at, ("right", 0), 0);
    }

    /// Clicks twice.
    pub(crate) fn double_click(&mut self, at: Place) {
        self.click_times(at, 2);
    }

    /// Clicks several times.
    pub(crate) fn click_times(&mut self, (x, y): Place, times: u8) {
        for count in 1..=times {
            for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
                let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": count});
                self.ask("Input.dispatchMouseEvent", event);
            }
        }
    }

    fn mouse(&mut self, kind: &str, (x, y): Place, (button, buttons): (&str, u8), keys: u8) {
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1, "modifiers": keys});
        self.ask("Input.dispatchMouseEvent", event);
    }
}
