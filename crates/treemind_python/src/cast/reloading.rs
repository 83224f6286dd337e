//! Changed documents under a running cast.

use super::library::{Candidate, candidates, is_defined, name_of};
use super::{State, same_name};
use crate::diagnostics::{self, misuse};
use crate::document::Document;
use crate::host::Leaves;
use pyo3::prelude::*;
use std::sync::Arc;
use treemind_core::host::Scripted;
use treemind_core::{Population, PopulationId, Program};

/// A population that gets another program.
struct Change {
    population: PopulationId,
    program: Arc<Program>,
    leaves: Leaves,
}

/// What a reload will do, when everything was checked.
struct Plan {
    document: usize,
    changes: Vec<Change>,
    /// Populations whose definitions are gone, and in which nobody lives.
    gone: Vec<PopulationId>,
    archetypes: Vec<Candidate>,
}

impl State {
    pub(super) fn reload(
        &mut self,
        py: Python<'_>,
        document: &Document,
        code: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let name = name_of(&document.inner);
        let is_it = |texts: &[(String, String)]| texts.first().is_some_and(|(one, _)| *one == name);
        let all = (0..self.documents.len()).filter(|at| is_it(&self.documents[*at].texts));
        let all: Vec<usize> = all.collect();
        if all.is_empty() {
            return Err(misuse(
                py,
                format!("no document that was added is called `{name}`"),
            ));
        }
        let plans = all.into_iter();
        let plans = plans.map(|at| self.plan(py, at, document, code.as_ref()));
        let plans: Vec<Plan> = plans.collect::<PyResult<_>>()?;
        self.try_out(py, &plans)?;
        for plan in plans {
            let added = &mut self.documents[plan.document];
            added.texts = document.inner.texts();
            if let Some(code) = &code {
                added.code = code.clone_ref(py);
            }
            self.carry_out(py, plan)?;
        }
        self.changed(py)?;
        self.finish(py)
    }

    fn plan(
        &self,
        py: Python<'_>,
        at: usize,
        document: &Document,
        code: Option<&Py<PyAny>>,
    ) -> PyResult<Plan> {
        let problems = |problems: treemind_doc::Diagnostics| diagnostics::error(py, &problems);
        let inner = &document.inner;
        let added = &self.documents[at];
        let code = code.unwrap_or(&added.code);
        let archetypes = candidates(inner, &added.prefix).map_err(problems)?;
        let mut plan = Plan {
            document: at,
            changes: Vec::new(),
            gone: Vec::new(),
            archetypes,
        };
        for troupe in self.troupes.iter().filter(|troupe| troupe.document == at) {
            let population = self.society.population(troupe.id);
            if !is_defined(inner, &troupe.subject) {
                let agents = 0..population.len();
                let living = agents.filter(|agent| population.is_alive(*agent)).count();
                if living > 0 {
                    let name = self.society.name(troupe.id);
                    let text = format!(
                        "{living} agents run `{name}`, which is gone from the document: remove them first"
                    );
                    return Err(misuse(py, text));
                }
                plan.gone.push(troupe.id);
                continue;
            }
            let behaviour = inner.behaviour_of(&troupe.subject).map_err(problems)?;
            let program = Arc::new(Program::new(behaviour));
            plan.changes.push(Change {
                population: troupe.id,
                leaves: self.leaves(py, &program, code)?,
                program,
            });
        }
        Ok(plan)
    }

    /// Tries out everything that can fail, with a copy of the society.
    fn try_out(&self, py: Python<'_>, plans: &[Plan]) -> PyResult<()> {
        let mut trial = self.society.clone();
        let refused = |text: String| misuse(py, text);
        for change in plans.iter().flat_map(|plan| &plan.changes) {
            let population = trial.population(change.population);
            let (old, agents) = (Arc::clone(population.program()), population.len());
            let mut nobody = Scripted::new(old.behaviour(), agents);
            trial
                .change_program(change.population, Arc::clone(&change.program), &mut nobody)
                .map_err(|error| refused(error.to_string()))?;
        }
        for plan in plans {
            for id in &plan.gone {
                trial.leave(*id);
            }
            for new in &plan.archetypes {
                let mut others = self.roles.iter();
                let other =
                    others.find(|role| role.document != plan.document && role.name == new.name);
                if let Some(other) = other.filter(|other| other.place != new.place) {
                    return Err(same_name(py, other, new));
                }
                let mut known = self.troupes.iter();
                if !known.any(|one| one.document == plan.document && one.subject == new.subject) {
                    let program = Arc::new(Program::new(new.behaviour.clone()));
                    let code = &self.documents[plan.document].code;
                    self.leaves(py, &program, code)?;
                    let joined = trial.join(new.name.clone(), Population::new(program, 0));
                    joined.map_err(|error| refused(error.to_string()))?;
                }
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, py: Python<'_>, plan: Plan) -> PyResult<()> {
        for change in plan.changes {
            let mut troupes = self.troupes.iter_mut();
            let Some(troupe) = troupes.find(|one| one.id == change.population) else {
                continue;
            };
            let host = &mut troupe.leaves.serving(py);
            let changed = self
                .society
                .change_program(change.population, change.program, host);
            let migration = changed.map_err(|error| misuse(py, error.to_string()))?;
            let old = std::mem::replace(&mut troupe.leaves, change.leaves);
            troupe.leaves.take_over(old, &migration);
            let mut runs = plan.archetypes.iter();
            if let Some(same) = runs.find(|new| new.subject == troupe.subject) {
                troupe.place = same.runs.clone();
            }
        }
        for id in &plan.gone {
            self.society.leave(*id);
        }
        self.troupes
            .retain(|troupe| !plan.gone.contains(&troupe.id));
        self.roles.retain(|role| role.document != plan.document);
        let mut archetypes = plan.archetypes.into_iter();
        archetypes.try_for_each(|new| self.admit(py, plan.document, new))
    }
}
