//! What a `find` has chosen, and what a planner follows.

use super::Screen;
use treemind_core::behaviour::Planner;
use treemind_core::{Behaviour, Kind, NodeId, PlanState};
use treemind_explain::{Judged, Looked, Search, Sought, candidate_text};
use treemind_replay::follow::Followed;

/// How many candidates are named beside the one that was chosen.
const MOST_CANDIDATES: usize = 3;

/// What stands behind the label of a node: what it has chosen last.
pub(super) fn beside_label(screen: &Screen<'_>, id: NodeId) -> Option<String> {
    let behaviour = screen.behaviour();
    match &behaviour.node(id).kind {
        Kind::Find(_) => {
            let sought = sought(screen, id)?;
            let chosen = candidate_text(behaviour, sought.search.chosen?);
            Some(format!("  → {chosen}"))
        }
        Kind::Planner(planner) => {
            let plan = plan(behaviour, (id, planner), &followed(screen, id)?.state)?;
            Some(format!("  {plan}"))
        }
        _ => None,
    }
}

/// The lines about a node that is selected.
pub(super) fn details(screen: &Screen<'_>, id: NodeId) -> Vec<String> {
    let behaviour = screen.behaviour();
    match &behaviour.node(id).kind {
        Kind::Find(_) => {
            let sought = sought(screen, id);
            sought.map_or_else(Vec::new, |one| candidates(behaviour, &one.search))
        }
        Kind::Planner(planner) => {
            let Some(followed) = followed(screen, id) else {
                return Vec::new();
            };
            let mut lines = Vec::new();
            lines.extend(plan(behaviour, (id, planner), &followed.state));
            lines.extend(goals(planner, followed));
            lines
        }
        _ => Vec::new(),
    }
}

fn sought<'s>(screen: &Screen<'s>, id: NodeId) -> Option<&'s Sought> {
    let mut finds = screen.mind().finds().iter();
    finds.find(|one| one.node == id && one.tick > 0)
}

fn followed<'s>(screen: &Screen<'s>, id: NodeId) -> Option<&'s Followed> {
    let mut plans = screen.mind().planners().iter();
    plans.find(|one| one.node == id)
}

/// The best candidates with their scores, and how many were out.
fn candidates(behaviour: &Behaviour, search: &Search) -> Vec<String> {
    let score = |one: &Looked| match one.judged {
        Judged::Kept(score) if score > 0.0 => Some(score),
        Judged::Kept(_) | Judged::Out(_) => None,
    };
    let mut kept: Vec<(&Looked, f32)> = search
        .looked
        .iter()
        .filter_map(|one| Some((one, score(one)?)))
        .collect();
    // Of equal ones, the first is chosen.
    kept.sort_by(|one, other| other.1.total_cmp(&one.1));
    let best = kept.iter().take(MOST_CANDIDATES + 1);
    let best: Vec<String> = best
        .map(|(one, score)| format!("{} {score:.2}", candidate_text(behaviour, one.value)))
        .collect();
    let out = search.looked.len() - kept.len();
    let (best, of) = (best.join(", "), search.looked.len());
    let mut lines = Vec::new();
    if !best.is_empty() {
        let word = if search.found.is_some() {
            "best"
        } else {
            "best so far"
        };
        lines.push(format!("{word} {best}"));
    }
    if of > 0 {
        lines.push(format!("{out} of {of} out"));
    }
    lines
}

/// A plan on one line: `kill: ✓draw-gun ▶reload shoot`.
fn plan(
    behaviour: &Behaviour,
    (id, planner): (NodeId, &Planner),
    state: &PlanState,
) -> Option<String> {
    let goal = &planner.goals.get(state.goal.or(state.searches)?)?.name;
    if state.steps.is_empty() {
        return Some(format!("{goal}: looks for a plan"));
    }
    let children = &behaviour.node(id).children;
    let steps = state.steps.iter().enumerate().map(|(nth, step)| {
        let sign = match nth.cmp(&state.cursor) {
            std::cmp::Ordering::Less => "✓",
            std::cmp::Ordering::Equal => "▶",
            std::cmp::Ordering::Greater => "",
        };
        format!("{sign}{}", behaviour.label(children[*step]))
    });
    Some(format!("{goal}: {}", steps.collect::<Vec<_>>().join(" ")))
}

/// The goals with their scores, the highest first; without a plan, that there is none.
fn goals(planner: &Planner, followed: &Followed) -> Option<String> {
    let scored = planner.goals.iter().zip(&followed.scores).enumerate();
    let mut scored: Vec<(usize, &str, f64)> = scored
        .filter_map(|(nth, (goal, score))| Some((nth, goal.name.as_str(), (*score)?)))
        .collect();
    scored.sort_by(|one, other| other.2.total_cmp(&one.2));
    let is_fruitless = |nth: usize| followed.state.fruitless >> nth & 1 == 1;
    let said = scored.iter().map(|(nth, name, score)| {
        let note = if is_fruitless(*nth) { " (no plan)" } else { "" };
        format!("{name} {score:.2}{note}")
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("goals {}", said.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use treemind_core::Value;
    use treemind_core::trace::Event;
    use treemind_doc::Document;

    const TEXT: &str = r#"
        blackboard { key spot type=vec2 optional=#true; key armed type=bool; key dead type=bool; }
        leaves { candidates spots type=vec2; action draw; action shoot; }
        tree t { find place in=spots into="{spot}"; }
        planner p {
            goal rest wants="!armed" score=0.25
            goal kill wants="dead" score=0.75
            action draw on-success="armed = true"
            action shoot when="armed" on-success="dead = true"
        }
    "#;

    fn behaviour(name: &str) -> Behaviour {
        let document = Document::parse(TEXT, "t.kdl");
        let made = match name {
            "p" => document.planner(name),
            _ => document.behaviour(Some(name)),
        };
        made.unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn the_best_candidates_come_first() {
        let behaviour = behaviour("t");
        let Kind::Find(find) = &behaviour.node(behaviour.root()).kind else {
            panic!("it is a find");
        };
        let mut search = Search::default();
        let at = |x: f32| Some(Value::Vec2([x, 0.5]));
        let mut add = |event, value| search.add(find, event, value);
        for (x, score) in [(1.0, 0.5), (2.0, 0.0), (3.0, 0.75), (4.0, 0.5), (5.0, 0.25)] {
            add(Event::Keep(f32::to_bits(score)), at(x));
        }
        add(Event::Out(Some(0)), at(6.0));
        let best = "(3, 0.5) 0.75, (1, 0.5) 0.50, (4, 0.5) 0.50, (5, 0.5) 0.25";
        assert_eq!(
            candidates(&behaviour, &search),
            [format!("best so far {best}"), "2 of 6 out".to_owned()]
        );
        search.add(find, Event::Found(4, 6), None);
        assert_eq!(candidates(&behaviour, &search)[0], format!("best {best}"));
    }

    #[test]
    fn a_plan_says_how_far_it_is() {
        let behaviour = behaviour("p");
        let root = behaviour.root();
        let Kind::Planner(planner) = &behaviour.node(root).kind else {
            panic!("it is a planner");
        };
        let mut state = PlanState {
            goal: Some(1),
            steps: vec![0, 1],
            cursor: 1,
            fruitless: 1,
            ..PlanState::default()
        };
        let said = |state: &PlanState| plan(&behaviour, (root, planner), state);
        assert_eq!(said(&state).as_deref(), Some("kill: ✓draw ▶shoot"));
        state.steps.clear();
        assert_eq!(said(&state).as_deref(), Some("kill: looks for a plan"));
        assert_eq!(said(&PlanState::default()), None);
        let followed = Followed {
            node: root,
            state,
            scores: vec![Some(0.25), Some(0.75)],
            has_dropped: false,
        };
        assert_eq!(
            goals(planner, &followed).as_deref(),
            Some("goals kill 0.75, rest 0.25 (no plan)")
        );
    }
}
