//! What a `rate` came to, and how much each of its considerations counted.

use crate::explanation::Told;
use crate::facts::Case;
use crate::networks::evaluated_apart;
use crate::say;
use crate::words::Words;
use treemind_core::behaviour::{Combine, Score, Scoring};
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, NodeId};

impl Case<'_> {
    /// What a `rate` or a `policy` computed in this tick, and from what; or what went wrong with it.
    pub(crate) fn computed(&self, id: NodeId) -> Vec<Told> {
        let faults = self.events.of(id);
        let mut faults = faults.filter(|(_, event, _)| *event == Event::Fault);
        if let Some(fault) = faults.find_map(|(at, ..)| self.events.fault(at)) {
            return vec![Told::about(id, Words::wrong(fault))];
        }
        match &self.node(id).kind {
            Kind::Policy(policy) => {
                let inputs = self.inputs_told(id, policy);
                let gave = self.of_policy(id, policy);
                gave.into_iter().chain(inputs).collect()
            }
            Kind::Rate { score, .. } => self.rated(id, score),
            _ => Vec::new(),
        }
    }

    /// The considerations of a `rate`, those that count most first.
    fn rated(&self, id: NodeId, score: &Score) -> Vec<Told> {
        let Some(sum) = self.events.of(id).find_map(|(_, event, _)| match event {
            Event::Score(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }) else {
            return Vec::new();
        };
        let mut told = vec![Told::about(
            id,
            say!(ItCameTo, score = number(f64::from(sum))),
        )];
        let Scoring::Combined(combine, all) = &score.made else {
            return told;
        };
        let exprs: Vec<Expr> = (all.iter())
            .flat_map(|one| [Some(&one.of), one.weight.as_ref()])
            .flatten()
            .cloned()
            .collect();
        let reads = self
            .events
            .of(id)
            .filter_map(|(_, event, value)| match event {
                Event::Read(key) => Some((key, value?)),
                _ => None,
            });
        let reads: Vec<_> = reads.collect();
        // What only the agent itself knows is not computed again.
        let values = match exprs.iter().all(is_of_keys) {
            true => evaluated_apart(self.behaviour, &exprs, &reads),
            false => None,
        };
        let Some(values) =
            values.and_then(|values| values.into_iter().collect::<Option<Vec<f64>>>())
        else {
            return told;
        };
        let mut values = values.into_iter();
        let mut found: Vec<(f64, Words)> = Vec::new();
        for one in all {
            let Some(x) = values.next() else { break };
            let value = one.curve.value(x.clamp(0.0, 1.0)).clamp(0.0, 1.0);
            let (name, shown) = (self.expression(&one.of), number(value));
            let weight = one
                .weight
                .as_ref()
                .zip(one.weight.as_ref().and_then(|_| values.next()));
            found.push(match weight {
                Some((expr, weight)) => {
                    let weight = weight.clamp(0.0, 1.0);
                    let counts = number(weight);
                    let by = self.expression(expr);
                    let rank = match combine {
                        Combine::Average => weight,
                        _ => value,
                    };
                    (
                        rank,
                        say!(Considered, name, value = shown, by, weight = counts),
                    )
                }
                None => {
                    let rank = match combine {
                        Combine::Average => 1.0,
                        _ => value,
                    };
                    (rank, say!(ScoreOf, name, score = shown))
                }
            });
        }
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        let found = found.into_iter().map(|(_, words)| Told::about(id, words));
        told[0].because = found.collect();
        told
    }
}

fn number(value: f64) -> Words {
    Words::value(format!("{value:.3}"))
}

/// Whether nothing but the values of keys decides what an expression comes to.
fn is_of_keys(expr: &Expr) -> bool {
    let is_it = matches!(
        expr,
        Expr::Value(_)
            | Expr::Key(..)
            | Expr::Not(_)
            | Expr::Neg(_)
            | Expr::Arith(..)
            | Expr::Scale(..)
            | Expr::Part(..)
            | Expr::Vector(_)
            | Expr::Length(_)
            | Expr::Curve(..)
            | Expr::OfVectors(..)
            | Expr::Compare(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::If(..)
            | Expr::Between(..)
            | Expr::Widen(..)
            | Expr::Call(..)
    );
    is_it && expr.parts().all(is_of_keys)
}
