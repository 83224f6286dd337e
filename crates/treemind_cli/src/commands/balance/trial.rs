//! Two forms of a decision tree, compared on the same facts.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use treemind::Status;
use treemind::blackboard::{KeyId, Text, Type, Value};
use treemind::core::behaviour::{DecisionStep, Form, Key};
use treemind::core::chance::philox4x64;
use treemind::core::host::Columns;
use treemind::core::{Expr, Kind, LeafId};
use treemind::population::{Behaviour, Population, Program};
use treemind::trace::{Event, NodeId, Trace};
use treemind_learn::Alone;

/// How many agents are asked in a tick, and for how many ticks.
const AGENTS: usize = 5_000;
const TICKS: u64 = 20;

/// Asks both forms with random facts, and returns how many inputs were tried; the error says where the forms differ.
pub(super) fn compare(both: &[Alone; 2]) -> Result<u64, String> {
    let mut facts = Facts::new(&both[0].behaviour);
    let mut sides = both.each_ref().map(Side::new);
    for tick in 1..=TICKS {
        facts.tick = tick;
        for agent in 0..AGENTS {
            facts.agent = agent;
            facts.give(&mut sides);
        }
        let [(before, faults), (after, more)] = sides.each_mut().map(Side::decide);
        if before != after {
            let mut pairs = before.iter().zip(&after);
            let agent = pairs.position(|(before, after)| before != after);
            let agent = agent.unwrap_or_default();
            return Err(format!(
                "with {} it leads to another task",
                sides[0].describe_facts(agent)
            ));
        }
        if more > faults {
            return Err(
                "it has a test that may be at fault in a place where it was not asked before"
                    .to_owned(),
            );
        }
    }
    Ok(AGENTS as u64 * TICKS)
}

/// A form of the decision tree, with the agents that run it.
struct Side<'a> {
    alone: &'a Alone,
    tasks: HashMap<NodeId, usize>,
    population: Population,
    host: Columns,
    trace: Trace,
}

impl<'a> Side<'a> {
    fn new(alone: &'a Alone) -> Self {
        let program = Arc::new(Program::new(alone.behaviour.clone()));
        let tasks = alone.tasks.iter().enumerate();
        Self {
            alone,
            tasks: tasks.map(|(place, task)| (*task, place)).collect(),
            population: Population::new(program, AGENTS).with_seed(7),
            host: Columns::new(&alone.behaviour, AGENTS),
            trace: Trace::new(),
        }
    }

    /// The task that each agent chooses, and how many faults there were.
    fn decide(&mut self) -> (Vec<Option<usize>>, u64) {
        self.trace.clear();
        self.host.clear();
        let dt = Duration::from_secs(1);
        self.population
            .tick_traced(&mut self.host, dt, &mut self.trace);
        let mut chosen = vec![None; AGENTS];
        for record in self.trace.records() {
            let task = self.tasks.get(&record.node);
            if let (Event::Tick(Status::Running), Some(task)) = (record.event, task) {
                for bit in (0..64).filter(|bit| record.mask >> bit & 1 == 1) {
                    chosen[record.word as usize * 64 + bit] = Some(*task);
                }
            }
        }
        (chosen, self.population.take_faults().total())
    }

    /// The facts of an agent, in words.
    fn describe_facts(&self, agent: usize) -> String {
        let keys = self.alone.behaviour.keys().iter().enumerate();
        let facts = keys.map(|(index, key)| {
            let value = self.population.find(agent, KeyId::new(index));
            let value = value.map(|value| self.alone.behaviour.display_value(value));
            format!(
                "{} = {}",
                key.name,
                value.unwrap_or_else(|| "unset".to_owned())
            )
        });
        facts.collect::<Vec<_>>().join(", ")
    }
}

/// Draws random facts: the values that tests compare with, and values next to and between them.
struct Facts {
    keys: Vec<(KeyId, Key, Vec<Value>)>,
    conditions: usize,
    tick: u64,
    agent: usize,
}

impl Facts {
    fn new(behaviour: &Behaviour) -> Self {
        let mut literals: Vec<Value> = Vec::new();
        if let Kind::Decide(decision) = &behaviour.node(behaviour.root()).kind {
            let exprs = decision.steps.iter().flat_map(DecisionStep::exprs);
            let mut pending: Vec<&Expr> = exprs.collect();
            while let Some(expr) = pending.pop() {
                if let Expr::Value(value) = expr {
                    literals.push(*value);
                }
                pending.extend(expr.parts());
            }
        }
        let keys = behaviour.keys().iter().enumerate().map(|(index, key)| {
            let near = literals.iter().filter_map(|value| near(key.ty, *value));
            (KeyId::new(index), key.clone(), near.flatten().collect())
        });
        Self {
            keys: keys.collect(),
            conditions: behaviour.leaves().len(),
            tick: 0,
            agent: 0,
        }
    }

    /// Gives an agent the same facts on both sides. Many facts stay as they were, so that draws are kept too.
    fn give(&self, sides: &mut [Side<'_>; 2]) {
        for (key, declared, known) in &self.keys {
            let bits = self.bits(key.index() as u64);
            if self.tick > 1 && bits[0].is_multiple_of(3) {
                continue;
            }
            let is_unset = declared.form.can_be_unset() && bits[0].is_multiple_of(4);
            let value = value(declared.ty, known, bits);
            for side in sides.iter_mut() {
                let agent = self.agent;
                let mut board = side.population.board(agent);
                match (&declared.form, value) {
                    _ if is_unset => {
                        board.unset(*key, agent);
                    }
                    (Form::List { .. }, Some(value)) => {
                        if let Some(mut list) = board.list_mut(*key, agent) {
                            // The push fails when the list is full; a full list is useful for the test as well.
                            let _ = list.push(value);
                        }
                    }
                    (_, Some(value)) => {
                        // The value has the type of the key, so this cannot fail.
                        let _ = board.set(*key, agent, value);
                    }
                    (_, None) => {}
                }
            }
        }
        for leaf in 0..self.conditions {
            let holds = self.bits(1_000_000 + leaf as u64)[0] & 1 == 1;
            for side in sides.iter_mut() {
                side.host
                    .holds_mut(LeafId::new(leaf))
                    .set(self.agent, holds);
            }
        }
    }

    fn bits(&self, what: u64) -> [u64; 4] {
        philox4x64([self.tick, self.agent as u64, what, 0], [1, 2])
    }
}

/// A literal and its neighbours, as values of a type.
fn near(ty: Type, value: Value) -> Option<Vec<Value>> {
    Some(match (ty, value) {
        (Type::Int, Value::Int(value)) => vec![
            Value::Int(value),
            Value::Int(value.saturating_sub(1)),
            Value::Int(value.saturating_add(1)),
        ],
        (Type::Float, Value::Float(_) | Value::Double(_)) => {
            let value = match value {
                Value::Double(value) => value as f32,
                Value::Float(value) => value,
                _ => return None,
            };
            [
                value,
                value.next_down(),
                value.next_up(),
                value * 0.5,
                value * 2.0,
            ]
            .map(Value::Float)
            .to_vec()
        }
        (Type::Double, Value::Float(_) | Value::Double(_)) => {
            let value = match value {
                Value::Float(value) => f64::from(value),
                Value::Double(value) => value,
                _ => return None,
            };
            [
                value,
                value.next_down(),
                value.next_up(),
                value * 0.5,
                value * 2.0,
            ]
            .map(Value::Double)
            .to_vec()
        }
        (ty, value) if ty == value.ty() => vec![value],
        _ => return None,
    })
}

fn value(ty: Type, known: &[Value], bits: [u64; 4]) -> Option<Value> {
    if !known.is_empty() && !bits[1].is_multiple_of(8) {
        return Some(known[bits[2] as usize % known.len()]);
    }
    let unit = (bits[2] >> 11) as f64 / (1_u64 << 53) as f64;
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0];
    let wide = match bits[3] % 16 {
        odd_one @ 0..4 => odd[odd_one as usize],
        _ => (unit - 0.5) * 200.0,
    };
    Some(match ty {
        Type::Bool => Value::Bool(bits[2] & 1 == 1),
        Type::Int => Value::Int((bits[2] % 201) as i64 - 100),
        Type::Float => Value::Float(wide as f32),
        Type::Double => Value::Double(wide),
        Type::Enum(list) => Value::Enum(list, (bits[2] % 64) as u32),
        Type::Entity => Value::Entity(bits[2] % 8),
        Type::Vec2 => Value::Vec2([wide as f32, (unit * 10.0) as f32]),
        Type::Vec3 => Value::Vec3([wide as f32, (unit * 10.0) as f32, 1.0]),
        Type::Text => Value::Text(Text::new(if bits[2] & 1 == 1 { "" } else { "another" })),
        _ => return None,
    })
}
