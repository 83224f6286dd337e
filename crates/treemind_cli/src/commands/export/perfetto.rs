//! The trace event format: a process per population, a thread per agent, and a slice for each node while it runs.

use super::{Scene, Stop};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use treemind_core::trace::Event;
use treemind_core::{NodeId, Status};

const HEAD: &str = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";

/// A trace that is being written.
#[derive(Default)]
pub(super) struct Perfetto {
    /// Whether there is anything before the next event.
    has_begun: bool,
    /// The populations that have a name in the trace.
    named: BTreeSet<u16>,
    /// By population and agent: the nodes whose slices are open, the outermost first.
    open: BTreeMap<(u16, usize), Vec<NodeId>>,
    end_us: f64,
}

impl Perfetto {
    fn event(&mut self, out: &mut dyn Write, event: &Value) -> Result<(), Stop> {
        let separator = match std::mem::replace(&mut self.has_begun, true) {
            true => ",\n",
            false => HEAD,
        };
        write!(out, "{separator}{event}")?;
        Ok(())
    }

    pub(super) fn scene(
        &mut self,
        scene: &Scene<'_>,
        only: Option<u64>,
        out: &mut dyn Write,
    ) -> Result<(), Stop> {
        let population = scene.id.number();
        let process = population + 1;
        if scene.is_behind_gap {
            self.close(Some(population), out)?;
        }
        let begin_us = scene.begin_ns as f64 / 1e3;
        self.end_us = (scene.begin_ns + scene.dt_ns) as f64 / 1e3;
        for agent in scene.agents(only) {
            let running = running(scene, agent);
            let place = (population, agent);
            let before = self.open.get(&place).map_or(0, Vec::len);
            if running.is_empty() && before == 0 && scene.events.agent(agent).next().is_none() {
                continue;
            }
            if self.named.insert(population) {
                let name = json!({"ph": "M", "name": "process_name", "pid": process, "tid": 0,
                    "args": {"name": scene.name}});
                self.event(out, &name)?;
            }
            if !self.open.contains_key(&place) {
                let name = json!({"ph": "M", "name": "thread_name", "pid": process, "tid": agent + 1,
                    "args": {"name": format!("{}-{}", scene.name, agent + 1)}});
                self.event(out, &name)?;
            }
            let mut open = self.open.remove(&place).unwrap_or_default();
            // Slices are closed from the inside out, so those around which one ends are cut in two.
            let kept = open.iter().zip(&running);
            let kept = kept.take_while(|(left, right)| left == right).count();
            while open.len() > kept {
                open.pop();
                let end = json!({"ph": "E", "pid": process, "tid": agent + 1, "ts": begin_us});
                self.event(out, &end)?;
            }
            for node in running.into_iter().skip(kept) {
                let name = scene.behaviour().label(node);
                let begin = json!({"ph": "B", "pid": process, "tid": agent + 1, "ts": begin_us,
                    "name": name, "args": {"tick": scene.tick}});
                self.event(out, &begin)?;
                open.push(node);
            }
            self.open.insert(place, open);
            for text in scene.said_by(agent) {
                let said = json!({"ph": "i", "s": "t", "pid": process, "tid": agent + 1,
                    "ts": begin_us, "name": text});
                self.event(out, &said)?;
            }
        }
        Ok(())
    }

    pub(super) fn end(mut self, out: &mut dyn Write) -> Result<(), Stop> {
        self.close(None, out)?;
        if !self.has_begun {
            write!(out, "{HEAD}")?;
        }
        writeln!(out, "\n]}}")?;
        Ok(())
    }

    /// Ends the slices of one population, or of all of them, with the last tick.
    fn close(&mut self, only: Option<u16>, out: &mut dyn Write) -> Result<(), Stop> {
        let end_us = self.end_us;
        for ((population, agent), mut open) in std::mem::take(&mut self.open) {
            if only.is_none_or(|only| only == population) {
                for _ in open.drain(..) {
                    let end = json!({"ph": "E", "pid": population + 1, "tid": agent + 1,
                        "ts": end_us});
                    self.event(out, &end)?;
                }
            }
            // The agent keeps the name that it was given.
            self.open.insert((population, agent), open);
        }
        Ok(())
    }
}

/// What goes on after a tick, the outermost nodes first.
fn running(scene: &Scene<'_>, agent: usize) -> Vec<NodeId> {
    let mut last: BTreeMap<NodeId, Status> = BTreeMap::new();
    for (node, event) in scene.events.agent(agent) {
        if let Event::Tick(status) | Event::Guard(status) = event {
            last.insert(node, status);
        }
    }
    let is_over = |node: &NodeId| matches!(last.get(node), Some(Status::Success | Status::Failure));
    let mut open = scene.population.open(agent, scene.events.agent(agent));
    open.retain(|node| !is_over(node));
    open
}
