//! Where everything was drawn, so that the mouse finds it.

use crate::app::Action;
use ratatui::layout::{Position, Rect};

/// Where everything is in a frame.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// The lines of the tree.
    pub(crate) tree: Rect,
    /// The first of them, and the number of lines of the whole tree.
    pub(crate) tree_first: usize,
    pub(crate) tree_lines: usize,
    pub(crate) log: Rect,
    /// By how many lines the log can be scrolled back.
    pub(crate) log_most: usize,
    pub(crate) buttons: Vec<(Rect, Action)>,
    minds: Vec<(Rect, usize)>,
}

impl Hits {
    /// A click there chooses this agent. Where several places overlap, the first counts.
    pub fn add_mind(&mut self, area: Rect, mind: usize) {
        self.minds.push((area, mind));
    }

    /// The button at a place.
    pub(crate) fn button_at(&self, place: Position) -> Option<Action> {
        let mut buttons = self.buttons.iter();
        buttons.find_map(|(area, action)| area.contains(place).then_some(*action))
    }

    /// The agent at a place.
    pub(crate) fn mind_at(&self, place: Position) -> Option<usize> {
        let mut minds = self.minds.iter();
        minds.find_map(|(area, mind)| area.contains(place).then_some(*mind))
    }
}
