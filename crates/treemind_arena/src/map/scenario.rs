//! A whole scenario: the ground, the actors and things on it, and what happens.

use super::error::MapError;
use super::legend::Legend;
use super::parts::{self, Part};
use super::script::{Cue, CueKind};
use super::steer::SteerPart;
use super::words::Words;
use crate::body::Traits;
use crate::geometry::Cell;
use crate::grid::{Grid, MAX_SIDE};
use crate::things::Item;
use std::collections::BTreeMap;
use treemind::core::behaviour::MAILBOX_SIZES;
use treemind::doc::said;
use treemind::population::Limits;

/// What is limited, and when a round is over; each may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rule {
    /// `ends TICK`: a round is over after this many ticks.
    pub ends: Option<u64>,
    /// `finders N`: how many bodies can find their path at the same time.
    pub finders: Option<u32>,
    /// `engines N`: how many animations can be played at the same time.
    pub engines: Option<u32>,
    /// `crowd N`: no actors, but this many people of a [`Crowd`](crate::Crowd).
    pub crowd: Option<u32>,
    /// `mailbox N`: how many events the mailbox of an agent keeps.
    pub mailbox: Option<u32>,
    /// `runs-per-tick N`: how many runs the loops of an agent together start in one tick.
    pub runs_per_tick: Option<u32>,
}

impl Rule {
    /// The limits of all agents, as far as the map says them.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::new();
        if let Some(events) = self.mailbox {
            limits = limits.mailbox(events as usize);
        }
        if let Some(runs) = self.runs_per_tick {
            limits = limits.runs_per_tick(runs);
        }
        limits
    }
}

/// A place with a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The name; several spots with one name are a route.
    pub name: String,
    /// The character on the map.
    pub sign: char,
    /// Where it is.
    pub cell: Cell,
}

/// A world before anything has happened in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// The ground.
    pub grid: Grid,
    /// Places with names, in the order of their characters.
    pub spots: Vec<Spot>,
    /// All actors and their starting places, in the order of the legend.
    pub actors: Vec<(Traits, Cell)>,
    /// Things and their places.
    pub items: Vec<(Item, Cell)>,
    /// What happens according to the script, in the order of time.
    pub script: Vec<Cue>,
    /// What is limited.
    pub rules: Rule,
    /// What it says for learners.
    pub steer: SteerPart,
}

/// The largest number of actors, and of things, in a scenario, because every tick goes through all of them.
const MAX_ACTORS: usize = 1_000;
const MAX_ITEMS: usize = 1_000;
/// The largest number of characters that one line of a legend can cover.
const MAX_RANGE: usize = 64;

/// The lines of a file, sorted by the part that they are in.
#[derive(Default)]
struct Lines<'t> {
    map: Vec<(usize, &'t str)>,
    legend: Vec<(usize, &'t str)>,
    script: Vec<(usize, &'t str)>,
    rules: Vec<(usize, &'t str)>,
    steer: Vec<(usize, &'t str)>,
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// At the first line that makes no sense; when a name is used that nothing has; when the map is too large.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let lines = sort(text)?;
        let legend = read_legend(&lines.legend)?;
        let (grid, mut marks) = read_map(&lines.map, &legend)?;
        let mut scenario = Self {
            grid,
            rules: read_rules(&lines.rules)?,
            ..Self::default()
        };
        // In the order of the characters, then of the map.
        marks.sort_by_key(|&(sign, _)| sign);
        for &(sign, cell) in &marks {
            match &legend[&sign].1 {
                Legend::Spot(name) => scenario.spots.push(Spot {
                    name: name.clone(),
                    sign,
                    cell,
                }),
                Legend::Item(item) => scenario.items.push((item.clone(), cell)),
                Legend::Actor(_) => {}
            }
        }
        if scenario.items.len() > MAX_ITEMS {
            let text = said!("there are more than {} things", MAX_ITEMS);
            return Err(MapError::whole(text));
        }
        scenario.place_actors(&legend, &marks)?;
        for &(line, text) in &lines.script {
            let cue = Cue::parse(line, &mut Words::new(line, text))?;
            scenario.script.push(cue);
        }
        scenario.script.sort_by_key(|cue| cue.tick);
        for &(line, text) in &lines.steer {
            scenario.steer.read(line, text)?;
        }
        scenario.check_names()?;
        Ok(scenario)
    }

    fn place_actors(
        &mut self,
        legend: &BTreeMap<char, (usize, Legend)>,
        marks: &[(char, Cell)],
    ) -> Result<(), MapError> {
        let mut actors: Vec<_> = legend
            .iter()
            .filter_map(|(sign, (line, legend))| match legend {
                Legend::Actor(traits) => Some((line, sign, traits)),
                _ => None,
            })
            .collect();
        actors.sort_by_key(|&(line, sign, _)| (line, sign));
        for (line, sign, traits) in actors {
            let cells: Vec<Cell> = marks
                .iter()
                .filter(|(mark, _)| mark == sign)
                .map(|&(_, cell)| cell)
                .collect();
            if cells.is_empty() {
                let text = said!("`{}` is nowhere on the map", *sign);
                return Err(MapError::at(*line, text));
            }
            for (nth, cell) in cells.iter().enumerate() {
                let mut traits = Traits::clone(traits);
                if cells.len() > 1 {
                    traits.name = format!("{} {}", traits.name, nth + 1);
                }
                self.actors.push((traits, *cell));
            }
        }
        if self.actors.len() > MAX_ACTORS {
            let text = said!("there are more than {} actors", MAX_ACTORS);
            return Err(MapError::whole(text));
        }
        Ok(())
    }

    /// Checks that every name that is used exists.
    fn check_names(&self) -> Result<(), MapError> {
        if let Some(who) = self.steer.who.iter().find(|who| self.actor(who).is_none()) {
            let text = said!("unknown actor `{}` in `[steer]`", who);
            return Err(MapError::whole(text));
        }
        for (traits, _) in &self.actors {
            let (name, route) = (&traits.name, &traits.route);
            if !route.is_empty() && self.spot(route).is_none() {
                let text = said!(
                    "the {} has the route `{}`, but there is no such spot",
                    name,
                    route
                );
                return Err(MapError::whole(text));
            }
            if !traits.owner.is_empty() && self.actor(&traits.owner).is_none() {
                let text = said!(
                    "unknown actor `{}` as the owner of the {}",
                    traits.owner,
                    name
                );
                return Err(MapError::whole(text));
            }
        }
        for cue in &self.script {
            let (actors, spot): (Vec<&String>, Option<&String>) = match &cue.kind {
                CueKind::Goes(who, spot) => (vec![who], Some(spot)),
                CueKind::Follows(who, whom) => (vec![who, whom], None),
                CueKind::Stands(who) | CueKind::Falls(who) => (vec![who], None),
                CueKind::Loses(who, _) | CueKind::Has(who, ..) => (vec![who], None),
                CueKind::Noise(_, spot) | CueKind::Put(_, spot) => (vec![], Some(spot)),
                CueKind::Set(..) | CueKind::Pulse(_) => (vec![], None),
            };
            for who in actors {
                if self.actor(who).is_none() {
                    return Err(MapError::at(cue.line, said!("unknown actor `{}`", who)));
                }
            }
            if let Some(spot) = spot
                && self.spot(spot).is_none()
            {
                return Err(MapError::at(cue.line, said!("unknown spot `{}`", spot)));
            }
        }
        Ok(())
    }

    /// The first place with this name.
    pub fn spot(&self, name: &str) -> Option<Cell> {
        self.route(name).next()
    }

    /// All places with this name, in order.
    pub fn route<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Cell> + 'a {
        let spots = self.spots.iter().filter(move |spot| spot.name == name);
        spots.map(|spot| spot.cell)
    }

    /// The position of the actor with this name; a `-` in a script stands for a space in the name.
    pub fn actor(&self, name: &str) -> Option<usize> {
        let is_same = |own: &str| own == name || own.replace(' ', "-") == name;
        self.actors
            .iter()
            .position(|(traits, _)| is_same(&traits.name))
    }
}

fn sort(text: &str) -> Result<Lines<'_>, MapError> {
    let mut sorted = Lines::default();
    for line in parts::lines(text)? {
        let one = (line.number, line.text.trim_end());
        match line.part {
            Part::Before | Part::Map => sorted.map.push(one),
            Part::Legend => sorted.legend.push(one),
            Part::Script => sorted.script.push(one),
            Part::Rules => sorted.rules.push(one),
            Part::Steer => sorted.steer.push(one),
        }
    }
    Ok(sorted)
}

/// The first and the last character that a line of the legend is about.
pub(super) fn range(signs: &str) -> Option<(char, char)> {
    let mut letters = signs.chars();
    let all = [(); 4].map(|()| letters.next());
    match all {
        [Some(one), None, ..] => Some((one, one)),
        [Some(first), Some('-'), Some(last), None] if first <= last => Some((first, last)),
        _ => None,
    }
}

fn read_legend(lines: &[(usize, &str)]) -> Result<BTreeMap<char, (usize, Legend)>, MapError> {
    let mut legend = BTreeMap::new();
    for &(line, text) in lines {
        let mut words = Words::new(line, text);
        let signs = words.take(said!("a character of the map"))?;
        let Some((first, last)) = range(signs) else {
            let text = said!(
                "`{}` is neither a character nor a range such as `1-6`",
                signs
            );
            return Err(words.error(text));
        };
        let meaning = Legend::parse(first, &mut words)?;
        if (first..=last).count() > MAX_RANGE {
            let text = said!("`{}` are more than {} characters", signs, MAX_RANGE);
            return Err(words.error(text));
        }
        for sign in first..=last {
            if matches!(sign, '#' | '.') {
                return Err(words.error(said!("`{}` already has a meaning", sign)));
            }
            if legend.insert(sign, (line, meaning.clone())).is_some() {
                return Err(words.error(said!("`{}` already has a line", sign)));
            }
        }
    }
    Ok(legend)
}

fn read_map(
    lines: &[(usize, &str)],
    legend: &BTreeMap<char, (usize, Legend)>,
) -> Result<(Grid, Vec<(char, Cell)>), MapError> {
    let width = lines.iter().map(|(_, row)| row.chars().count()).max();
    let width = width.unwrap_or(0);
    if width == 0 {
        return Err(MapError::whole(said!("there is no map")));
    }
    if width > MAX_SIDE || lines.len() > MAX_SIDE {
        let text = said!(
            "a map can have at most {} by {} squares",
            MAX_SIDE,
            MAX_SIDE
        );
        return Err(MapError::whole(text));
    }
    let mut grid = Grid::new(width, lines.len());
    let mut marks = Vec::new();
    for (y, (line, row)) in lines.iter().enumerate() {
        for (x, sign) in row.chars().enumerate() {
            let cell = Cell {
                x: x as i32,
                y: y as i32,
            };
            match sign {
                '#' => grid.build_wall(cell),
                '.' | ' ' => {}
                _ if legend.contains_key(&sign) => marks.push((sign, cell)),
                _ => {
                    let text = said!("unknown sign `{}` on this map", sign);
                    return Err(MapError::at(*line, text));
                }
            }
        }
    }
    Ok((grid, marks))
}

fn read_rules(lines: &[(usize, &str)]) -> Result<Rule, MapError> {
    let mut rules = Rule::default();
    for &(line, text) in lines {
        let mut words = Words::new(line, text);
        let name = words.take(said!("a rule"))?;
        let number = words.number(said!("a number"))?;
        match name {
            "ends" => rules.ends = Some(u64::from(number)),
            "finders" => rules.finders = Some(number),
            "engines" => rules.engines = Some(number),
            "crowd" => rules.crowd = Some(number.max(1)),
            "runs-per-tick" => rules.runs_per_tick = Some(number),
            "mailbox" if MAILBOX_SIZES.contains(&(number as usize)) => {
                rules.mailbox = Some(number);
            }
            "mailbox" => {
                let (least, most) = (MAILBOX_SIZES.start(), MAILBOX_SIZES.end());
                let text = said!("a mailbox keeps {} to {} events", least, most);
                return Err(words.error(text));
            }
            _ => {
                let text = said!(
                    "`{}` is not `ends`, `finders`, `engines`, `crowd`, `mailbox` or `runs-per-tick`",
                    name
                );
                return Err(words.error(text));
            }
        }
        words.end()?;
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::{Cell, Scenario};

    #[test]
    fn reads_walls_actors_routes_and_things() {
        let text = "; a comment\n[map]\n#####\n#G2H#\n#1I.c\n####\n[legend]\nG actor guard mind=main route=round walk=2.0\n\
            1-2 spot round\nH spot hut\nI actor thief team=thieves\nc coin\n[script]\nat 9 noise 2.5 at hut\nat 3 set weather rain\n";
        let scenario = Scenario::parse(text).unwrap();
        assert_eq!((scenario.grid.width(), scenario.grid.height()), (5, 4));
        let round: Vec<Cell> = scenario.route("round").collect();
        assert_eq!(round, [Cell { x: 1, y: 2 }, Cell { x: 2, y: 1 }]);
        assert!(scenario.grid.is_wall(Cell { x: 0, y: 0 }));
        assert!(scenario.grid.is_wall(Cell { x: 1, y: 9 }));
        assert_eq!(scenario.actor("thief"), Some(1));
        assert_eq!(scenario.actors[0].0.walk_mm, 100);
        assert_eq!(scenario.items[0].1, Cell { x: 4, y: 2 });
        assert_eq!(scenario.script[0].tick, 3, "in the order of time");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let text = |map: &str| Scenario::parse(map).unwrap_err().to_string();
        for (map, said) in [
            ("", "there is no map"),
            ("G", "line 1: a scenario must begin with `[map]`"),
            ("[map]\n##?", "line 2: unknown sign `?` on this map"),
            (
                "[maps]",
                "line 1: `[maps]` is not `[map]`, `[legend]`, `[script]`, `[rules]` or `[steer]`",
            ),
            (
                "[map]\n..\n[legend]\nG actor",
                "line 4: expected the name of the actor",
            ),
            (
                "[map]\n..\n[legend]\nG actor a",
                "line 4: `G` is nowhere on the map",
            ),
            (
                "[map]\nG\n[legend]\nG actor a size=2",
                "line 4: an actor has no `size`",
            ),
            (
                "[map]\nG\n[legend]\nG actor a walk=fast",
                "line 4: `fast` is not a number from 0 to 1000",
            ),
            (
                "[map]\nG\n[legend]\nG actor a route=x",
                "the a has the route `x`, but there is no such spot",
            ),
            (
                "[map]\n.\n[script]\nat 5 x stands",
                "line 4: unknown actor `x`",
            ),
            (
                "[map]\n.\n[script]\nat 5 noise 3 at x",
                "line 4: unknown spot `x`",
            ),
            (
                "[map]\n.\n[rules]\nends never",
                "line 4: `never` is not a whole number from 0 to 1000000",
            ),
            (
                "[map]\n.\n[legend]\n!-~ coin",
                "line 4: `!-~` are more than 64 characters",
            ),
            (
                "[map]\n.\n[legend]\n. coin",
                "line 4: `.` already has a meaning",
            ),
            (
                "[map]\n.\n[legend]\n!-~ coin",
                "line 4: `!-~` are more than 64 characters",
            ),
        ] {
            assert_eq!(text(map), said, "{map}");
        }
        let wide = format!("[map]\n{}", "#".repeat(300));
        assert_eq!(text(&wide), "a map can have at most 256 by 256 squares");
    }
}
