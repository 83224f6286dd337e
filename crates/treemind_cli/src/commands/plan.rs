//! `treemind plan`: what a planner would do with some values of keys, and why.

use crate::io::{self, Failure, Selection, print_exact, print_shown};
use crate::spoken::Spoken;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::planning::NoPlan;
use treemind_core::{Behaviour, Kind, NodeId, Program, Type, Value};
use treemind_doc::Document;
use treemind_doc::testing::Action;
use treemind_explain::{GoalOutlook, Language, Prospect, Sentence, Words, outlook, score_text};
use treemind_test::Harness;

/// Print the plan that a planner makes with some values of its keys, or why it makes none.
///
/// An agent with these values thinks until it has a plan or knows that there is none. Each step is printed with what it
/// costs and what it is for. For a goal without a plan, the condition that is nearest to making one possible is named.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The planner. Default: the one that `main` names, or the only one.
    #[arg(long, value_name = "NAME")]
    planner: Option<String>,
    /// An archetype: the planner that it runs or that is in its tree, with the keys that it sets.
    #[arg(long, value_name = "NAME")]
    archetype: Option<String>,
    /// What keys hold; `unset` removes the value of an optional key and all items of a list, the items of a list have
    /// spaces between them, and a text may stand in single quotes. All others hold what they start with.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    given: Vec<String>,
    /// Look for a plan for this goal, whatever its score.
    #[arg(long, value_name = "NAME")]
    goal: Option<String>,
    #[command(flatten)]
    spoken: Spoken,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    allowed: io::Allowed,
}

const AFTER: &str = "\
Examples:
  treemind plan examples/10-soldier/fighter.kdl --given enemy_seen=true mags=0
  treemind plan examples/10-soldier/fighter.kdl --given armed=true ammo=3 --goal kill
  treemind plan examples/10-soldier/fighter.kdl --given enemy_seen=true --json

Exit status: 0 when there is a plan, or nothing to do; 1 when a goal was looked
at and no plan was found for any.";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let known = io::Known {
        allowed: &args.allowed.folders,
        ..io::Known::default()
    };
    let document = io::sound_document(&args.file, known)?;
    let named = args.planner.as_deref();
    let selection = match &args.archetype {
        Some(_) => Selection {
            archetype: args.archetype.clone(),
            ..Selection::default()
        },
        None => Selection {
            planner: Some(name_of(&document, named)?),
            ..Selection::default()
        },
    };
    let program = Arc::new(Program::new(io::behaviour_of(&document, &selection)?));
    let behaviour = program.behaviour();
    let root = planner_of(behaviour, named.filter(|_| args.archetype.is_some()))?;
    let name = behaviour.label(root).to_owned();
    let mut harness = Harness::new(&program, 0);
    for given in &args.given {
        let done = harness.act(&parsed(behaviour, &name, given)?);
        done.map_err(|problem| Failure::Usage(format!("`--given {given}`: {problem}")))?;
    }
    let before = harness.population.clone();
    let prospect = Prospect::new(behaviour, root, |key| before.held(0, key));
    let Some(prospect) = prospect else {
        return Err(Failure::failed(format!("`{name}` is no planner")));
    };
    let only = args.goal.as_deref();
    let only = only.map(|goal| number_of(&prospect, goal)).transpose()?;
    let goals = outlook(behaviour, root, |key| before.held(0, key), only);
    let goals = goals.map_err(Failure::failed)?;
    let language = args.spoken.language();
    if args.json {
        let json = to_json(&name, &prospect, &goals, language);
        print_exact(|out| writeln!(out, "{json:#}"))?;
    } else {
        let lines = lines(&name, &prospect, &goals);
        print_shown(|out| {
            for (indent, words) in &lines {
                writeln!(out, "{indent}{}", words.written(language))?;
            }
            Ok(())
        })?;
    }
    let searched = goals.iter().any(|goal| goal.was_searched);
    match searched && goals.iter().all(|goal| goal.plan.is_none()) {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

/// The planner of a document that is asked.
fn name_of(document: &Document, named: Option<&str>) -> Result<String, Failure> {
    let all = document.planners().iter().map(|planner| planner.name());
    let of = Among {
        place: "this document".to_owned(),
        names: all.collect(),
        assumed: document.main_planner(),
    };
    Ok(of.chosen(named)?.to_owned())
}

/// The planner that an archetype runs, or that is in what it runs. A planner may be a part of a step of another one.
fn planner_of(behaviour: &Behaviour, named: Option<&str>) -> Result<NodeId, Failure> {
    let is_planner = |id: &NodeId| matches!(behaviour.node(*id).kind, Kind::Planner(_));
    let planners: Vec<NodeId> = behaviour.node_ids().filter(is_planner).collect();
    let mut names: Vec<&str> = Vec::new();
    for planner in &planners {
        let name = behaviour.label(*planner);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let root = behaviour.root();
    let of = Among {
        place: format!("`{}`", behaviour.name()),
        assumed: is_planner(&root).then(|| behaviour.label(root)),
        names,
    };
    let chosen = of.chosen(named)?;
    if let (None, [_, _, ..]) = (named, &of.names[..]) {
        let others = of.names.iter().filter(|name| **name != chosen);
        let others = listed(others.copied());
        io::tell(format!(
            "this is the planner `{chosen}`; `--planner NAME` asks another one of {}: {others}",
            of.place
        ));
    }
    let mut places = planners.into_iter();
    let found = places.find(|id| behaviour.label(*id) == chosen);
    Ok(found.unwrap_or(root))
}

/// Planners among which one is asked.
struct Among<'n> {
    /// Where they are, in a sentence.
    place: String,
    names: Vec<&'n str>,
    /// The one that is asked if none is named.
    assumed: Option<&'n str>,
}

impl<'n> Among<'n> {
    /// The one that is named, or the one that is asked if none is, or the only one.
    fn chosen(&self, named: Option<&str>) -> Result<&'n str, Failure> {
        let (place, all) = (&self.place, listed(self.names.iter().copied()));
        let only = match self.names[..] {
            [only] => Some(only),
            _ => None,
        };
        let found = match named {
            Some(name) => self.names.iter().copied().find(|one| *one == name),
            None => self.assumed.or(only),
        };
        found.ok_or_else(|| match (named, &self.names[..]) {
            (_, []) => Failure::failed(format!("there is no planner in {place}")),
            (Some(name), names) => {
                let near = treemind_doc::nearest_name(name, names.iter().copied());
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its planners are {all}"),
                };
                Failure::Usage(format!("there is no planner `{name}` in {place}; {help}"))
            }
            (None, _) => Failure::Usage(format!(
                "say which planner of {place} with `--planner NAME`: {all}"
            )),
        })
    }
}

/// How many names a message lists.
const MOST_NAMES: usize = 12;

/// Names, each in backticks.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// What `KEY=VALUE` gives a key. Keys of the planner itself go by their short names.
fn parsed(behaviour: &Behaviour, planner: &str, given: &str) -> Result<Action, Failure> {
    let usage = |text: String| Failure::Usage(text);
    let Some((name, text)) = given.split_once('=') else {
        return Err(usage(format!("`--given {given}` is not `KEY=VALUE`")));
    };
    let own = behaviour.key_id(&format!("{planner}.{name}"));
    let Some(key) = own.or_else(|| behaviour.key_id(name)) else {
        let names = behaviour.keys().iter().map(|key| key.name.as_str());
        let names = names.map(|key| key.strip_prefix(&format!("{planner}.")).unwrap_or(key));
        // A planner knows no keys of other places.
        let names: Vec<&str> = names.filter(|key| !key.contains('.')).collect();
        let near = treemind_doc::nearest_name(name, names.iter().copied());
        let meant = match (near, &names[..]) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, []) => String::new(),
            (None, names) => {
                let more = if names.len() > MOST_NAMES {
                    " and more"
                } else {
                    ""
                };
                let first = listed(names.iter().copied().take(MOST_NAMES));
                format!("; the keys are {first}{more}")
            }
        };
        return Err(usage(format!("`{planner}` has no key `{name}`{meant}")));
    };
    if let Some(text) = text.strip_prefix('=') {
        return Err(usage(format!(
            "`--given {given}`: write one `=`, `{name}={text}`; a text that begins with `=` stands in quotes, `{name}='={text}'`"
        )));
    }
    let found = behaviour.key(key);
    let (of, ty) = (found.name.clone(), found.ty);
    if text == "unset" && !found.form.can_be_unset() {
        return Err(usage(format!(
            "`--given {given}`: `{name}` is not optional, so it always has a value; {}",
            match ty {
                Type::Text =>
                    "give it a text; the text `unset` stands in quotes, `'unset'`".to_owned(),
                _ => format!("give it a value of type `{}`", ty.keyword()),
            }
        )));
    }
    if found.form.is_list() {
        let text = if text == "unset" { "" } else { text };
        let items = text
            .split_whitespace()
            .map(|item| value(behaviour, ty, item));
        let items: Option<Vec<Value>> = items.collect();
        let items = items.ok_or_else(|| {
            usage(format!(
                "`{text}` is no list of `{}`, which `{name}` is; its items have spaces between them",
                ty.keyword()
            ))
        })?;
        return Ok(Action::Items(of, items));
    }
    let given = match text {
        "unset" => None,
        _ => Some(value(behaviour, ty, text).ok_or_else(|| {
            usage(format!(
                "`{text}` is no value of `{name}`, which is of type `{}`{}",
                ty.keyword(),
                how_to_write(behaviour, ty)
            ))
        })?),
    };
    Ok(Action::Given(vec![(of, given)]))
}

/// How values of a type are written, where that is not clear.
fn how_to_write(behaviour: &Behaviour, ty: Type) -> String {
    match ty {
        Type::Bool => ": give it `true` or `false`".to_owned(),
        Type::Vec2 => ": write it as `3,4`".to_owned(),
        Type::Vec3 => ": write it as `3,4,5`".to_owned(),
        Type::Enum(list) => {
            let values = behaviour.enumeration(list).values.iter();
            format!(": its values are {}", listed(values.map(String::as_str)))
        }
        Type::Any => ", and values of this type cannot be given".to_owned(),
        _ => String::new(),
    }
}

fn value(behaviour: &Behaviour, ty: Type, text: &str) -> Option<Value> {
    let numbers = || -> Option<Vec<f32>> {
        let all = text.split([',', ' ']).filter(|part| !part.is_empty());
        all.map(|part| part.parse().ok()).collect()
    };
    Some(match ty {
        Type::Bool => Value::Bool(text.trim_start_matches('#').parse().ok()?),
        Type::Int => Value::Int(text.parse().ok()?),
        Type::Float => Value::Float(text.parse().ok()?),
        Type::Double => Value::Double(text.parse().ok()?),
        Type::Entity => Value::Entity(text.parse().ok()?),
        Type::Vec2 => Value::Vec2(numbers()?.try_into().ok()?),
        Type::Vec3 => Value::Vec3(numbers()?.try_into().ok()?),
        Type::Text => Value::Text(unquoted(text).into()),
        Type::Enum(list) => {
            let values = &behaviour.enumeration(list).values;
            let position = values.iter().position(|value| value == text)?;
            Value::Enum(list, position as u32)
        }
        _ => return None,
    })
}

/// A text without the quotes in which sentences show it.
fn unquoted(text: &str) -> &str {
    let inner = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''));
    inner.unwrap_or(text)
}

/// The position of a goal.
fn number_of(prospect: &Prospect<'_>, name: &str) -> Result<usize, Failure> {
    let goals = &prospect.planner().goals;
    let found = goals.iter().position(|goal| goal.name == name);
    found.ok_or_else(|| {
        let known = || goals.iter().map(|goal| goal.name.as_str());
        let help = match treemind_doc::nearest_name(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the goals are {}", listed(known())),
        };
        Failure::Usage(format!("there is no goal `{name}`; {help}"))
    })
}

/// The lines for people, each with its indentation.
fn lines(name: &str, prospect: &Prospect<'_>, goals: &[GoalOutlook]) -> Vec<(String, Words)> {
    let mut lines = Vec::new();
    for goal in goals {
        let called = Words::code(&prospect.planner().goals[goal.goal].name);
        let Some(plan) = &goal.plan else {
            let more = goal.why.iter().cloned();
            match goal.was_searched {
                true => lines.extend(more.enumerate().map(|(nth, words)| (indent(nth), words))),
                false => {
                    let words = prospect.why_not_searched(goal, goals);
                    lines.extend(words.map(|words| (String::new(), words)));
                }
            }
            continue;
        };
        let name = Words::code(name);
        let head = match goal.score {
            Some(score) => Sentence::PursuesWithScore {
                name,
                goal: called,
                score: Words::plain(score_text(score)),
            },
            None => Sentence::Pursues { name, goal: called },
        };
        lines.push((String::new(), head.into()));
        lines.push((indent(1), prospect.said(plan)));
        for (cost, why) in plan.costs.iter().zip(&goal.why) {
            lines.push((format!("  {cost:>6}  "), why.clone()));
        }
        lines.extend(goal.unusable.iter().map(|words| (indent(1), words.clone())));
    }
    lines
}

fn indent(nth: usize) -> String {
    if nth == 0 { "" } else { "  " }.to_owned()
}

fn to_json(name: &str, prospect: &Prospect<'_>, all: &[GoalOutlook], language: Language) -> Json {
    let steps = &prospect.planner().steps;
    let written = |words: &Words| words.written(language);
    let goals = all.iter().map(|goal| {
        let plan = goal.plan.as_ref().map(|plan| {
            let each = plan.steps.iter().zip(&plan.costs).zip(&goal.why);
            let each = each.map(|((step, cost), why)| {
                json!({ "name": steps[*step].name, "cost": cost, "why": written(why) })
            });
            json!({
                "cost": plan.cost,
                "expansions": plan.expansions,
                "steps": each.collect::<Vec<_>>(),
            })
        });
        let why = goal.why.iter().filter(|_| goal.plan.is_none());
        let not_searched = prospect.why_not_searched(goal, all);
        let why = why.chain(&not_searched).chain(&goal.unusable);
        json!({
            "name": prospect.planner().goals[goal.goal].name,
            "score": goal.score,
            "holds": goal.is_met,
            "searched": goal.was_searched,
            "plan": plan,
            "no_plan": goal.no_plan.map(|why| match why {
                NoPlan::None => "none",
                NoPlan::Limit => "limit",
            }),
            "why": why.map(written).collect::<Vec<_>>(),
        })
    });
    json!({ "planner": name, "goals": goals.collect::<Vec<_>>() })
}
