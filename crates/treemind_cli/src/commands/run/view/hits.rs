//! Where everything was drawn, so that the mouse finds it.

use super::super::app::Action;
use super::super::player::Player;
use ratatui::layout::{Position, Rect};
use treemind_arena::Cell;

/// The squares of the world in view.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Squares {
    pub(super) area: Rect,
    /// The square in the top left corner.
    pub(super) first: Cell,
    /// How many columns and rows a square takes.
    pub(super) scale: (u16, u16),
}

/// Where everything is in a frame.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Hits {
    pub(super) squares: Option<Squares>,
    /// The lines of the tree.
    pub(in super::super) tree: Rect,
    /// The first of them, and the number of lines of the whole tree.
    pub(in super::super) tree_first: usize,
    pub(in super::super) tree_lines: usize,
    pub(in super::super) log: Rect,
    /// By how many lines the log can be scrolled back.
    pub(in super::super) log_most: usize,
    pub(super) buttons: Vec<(Rect, Action)>,
    /// The lines of the minds.
    pub(super) minds: Vec<(Rect, usize)>,
}

impl Hits {
    /// The button at a place.
    pub(in super::super) fn button_at(&self, place: Position) -> Option<Action> {
        let mut buttons = self.buttons.iter();
        buttons.find_map(|(area, action)| area.contains(place).then_some(*action))
    }

    /// The mind whose body or line is at a place.
    pub(in super::super) fn mind_at(&self, place: Position, player: &Player) -> Option<usize> {
        let mut lines = self.minds.iter();
        let line = lines.find_map(|(area, mind)| area.contains(place).then_some(*mind));
        line.or_else(|| {
            let cell = self.squares?.cell_at(place)?;
            let world = player.world()?;
            let mut there = world.ids().filter(|who| {
                let body = world.body(*who);
                body.is_there() && body.place().cell() == cell
            });
            there.find_map(|who| player.mind_of(who))
        })
    }
}

impl Squares {
    fn cell_at(&self, place: Position) -> Option<Cell> {
        let is_inside = self.area.contains(place);
        is_inside.then(|| Cell {
            x: self.first.x + i32::from((place.x - self.area.x) / self.scale.0),
            y: self.first.y + i32::from((place.y - self.area.y) / self.scale.1),
        })
    }
}
