//! What there is to see of rules.

use crate::ids::NodeId;
use crate::population::Population;

impl Population {
    /// Until when a rule does not fire because it cools, on the clock of [`now_ns`](Self::now_ns); 0 if it has no cooldown
    /// or has not fired. Rules are numbered as in the document.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn rule_cools_until_ns(&self, agent: usize, node: NodeId, rule: usize) -> u64 {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let mut all = self.durable.program.code.rules.iter();
        let op = all.find(|op| op.node == node && op.number as usize == rule);
        op.and_then(|op| op.until).map_or(0, |until| {
            self.run_of(agent).wide(until)[agent % self.durable.size.lanes]
        })
    }
}
