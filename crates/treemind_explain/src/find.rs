//! Why a `find` chose what it chose, or found nothing.

use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use std::collections::BTreeMap;
use treemind_core::behaviour::Find;
use treemind_core::trace::Event;
use treemind_core::{NodeId, Status, Value};

impl Case<'_> {
    /// What a search came to, and why candidates were out.
    pub(crate) fn found(&self, id: NodeId, find: &Find, status: Status) -> Told {
        let name = self.name(id);
        let (mut outs, mut looked) = (BTreeMap::<Option<u32>, usize>::new(), 0);
        let (mut chosen, mut score, mut all) = (None, None, None);
        for (_, event, value) in self.events.of(id) {
            match event {
                Event::Keep(_) => looked += 1,
                Event::Out(keep) => {
                    looked += 1;
                    *outs.entry(keep).or_default() += 1;
                }
                Event::Score(bits) => score = Some(f32::from_bits(bits)),
                Event::Found(kept, of) => all = Some((kept, of)),
                Event::Set(key) if key == find.into => chosen = value,
                _ => {}
            }
        }
        let words = match (status, all) {
            (Status::Success, Some((kept, of))) => {
                let is_list = self.behaviour.key(find.into).form.is_list();
                let chosen = chosen.filter(|_| !is_list);
                let score = score.map(|score| Words::plain(format!("{score:.2}")));
                match (chosen, score) {
                    (Some(chosen), Some(score)) => {
                        let item = Words::value(self.candidate(chosen));
                        say!(FoundBest, name, item, score)
                    }
                    _ => say!(
                        FoundSome,
                        name,
                        kept = Words::plain(kept),
                        of = Words::plain(of)
                    ),
                }
            }
            (_, Some((_, 0))) => say!(HadNoCandidates, name),
            (_, Some((_, of))) => say!(AllWereOut, name, of = Words::plain(of)),
            (status, None) => {
                let what = self.did_now(id, status);
                match self.has_fault(id) && status == Status::Failure {
                    true => say!(HasFault, what),
                    false => what,
                }
            }
        };
        let is_part = all.is_some_and(|(_, of)| looked < of as usize);
        let reasons = outs.into_iter().map(|(keep, count)| {
            let (count, of) = (Words::plain(count), Words::plain(looked));
            let words = match keep.and_then(|keep| find.keeps.get(keep as usize)) {
                Some(keep) => {
                    let keep = self.expression(keep);
                    say!(OutFor, count, of, keep)
                }
                None => say!(OutForScore, count, of),
            };
            Told::new(match is_part {
                true => words.plus(say!(InThisTick)),
                false => words,
            })
        });
        let reasons = reasons.collect();
        Told::about(id, words).because(reasons)
    }

    /// A candidate as people write it: `(3, 4)`.
    fn candidate(&self, value: Value) -> String {
        let parts = |parts: &[f32]| {
            let parts: Vec<String> = parts.iter().map(f32::to_string).collect();
            format!("({})", parts.join(", "))
        };
        match value {
            Value::Vec2(at) => parts(&at),
            Value::Vec3(at) => parts(&at),
            other => self.behaviour.display_value(other),
        }
    }
}
