//! What a trace with values has of an expression: what it reads, which times it asks for, and what it comes to.

use super::Reference;
use super::keys::Cell;
use treemind_core::{Event, Expr, KeyId, NodeId, Time, Value};

impl Reference<'_> {
    /// The current value of an expression; a fault in it is recorded at the node.
    pub(super) fn eval_at(&mut self, node: NodeId, expr: &Expr) -> Option<Value> {
        let mut keys = Vec::new();
        expr.for_each_key(&mut |key| {
            self.ask_for(node, key);
            if !keys.contains(&key) {
                keys.push(key);
            }
        });
        self.report_reads(node, &keys);
        self.report_times(node, [expr]);
        let value = self.eval_unreported(node, expr)?;
        if !matches!(expr, Expr::Value(_)) {
            self.report_also(node, Event::Result, Some(value));
        }
        Some(value)
    }

    /// Records the values of keys that a node is about to read.
    pub(super) fn report_reads(&mut self, node: NodeId, keys: &[KeyId]) {
        for &key in keys {
            let value = match &self.keys.values()[key.index()] {
                Cell::One(value) => *value,
                Cell::List(items) => Value::Int(items.len() as i64),
                Cell::Unset => continue,
            };
            self.report_also(node, Event::Read(key), Some(value));
        }
    }

    /// Records the times that expressions of a node ask for.
    pub(super) fn report_times<'e>(
        &mut self,
        node: NodeId,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) {
        let mut told = Vec::new();
        for expr in exprs {
            let mut pending = vec![expr];
            while let Some(expr) = pending.pop() {
                let parts: Vec<&Expr> = expr.parts().collect();
                pending.extend(parts.into_iter().rev());
                let time = match expr {
                    Expr::Now => Time::Now,
                    Expr::Age(key) => Time::Age(*key),
                    Expr::SinceWritten(key) => Time::SinceWritten(*key),
                    _ => continue,
                };
                if !told.contains(&time) {
                    told.push(time);
                    // No time has a fault.
                    let value = self.eval_silently(node, expr).ok();
                    self.report_also(node, Event::Time(time), value);
                }
            }
        }
    }
}
