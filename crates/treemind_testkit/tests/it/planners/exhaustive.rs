//! Small random domains: the plan is the best of all lists of steps, which are simply tried.

use super::Draft;
use treemind_testkit::random::Random;

const KEYS: usize = 4;
const STEPS: usize = 4;
/// The longest lists that are tried.
const LONGEST: usize = 6;

/// Four facts and a counter.
#[derive(Clone, Copy)]
struct Facts([bool; KEYS], i64);

/// A key and what it has to be, or becomes.
type Literal = (usize, bool);

struct Step {
    when: Vec<Literal>,
    gives: Vec<Literal>,
    counts: i64,
    /// In thousandths, and as it is written.
    cost: (u64, &'static str),
}

struct Small {
    facts: [bool; KEYS],
    steps: Vec<Step>,
    wants: Vec<Literal>,
    /// How far the counter has to be.
    at_least: Option<i64>,
}

fn literals(random: &mut Random, least: usize, most: usize) -> Vec<Literal> {
    let mut keys: Vec<usize> = (0..KEYS).collect();
    let count = random.between(least, most);
    let mut literals = Vec::new();
    for _ in 0..count {
        let key = keys.remove(random.between(0, keys.len() - 1));
        literals.push((key, random.between(0, 1) == 1));
    }
    literals
}

impl Small {
    fn new(random: &mut Random) -> Self {
        let costs = [
            (1_000, ""),
            (0, "0"),
            (500, "0.5"),
            (2_000, "2"),
            (3_000, "3"),
        ];
        let steps = (0..STEPS).map(|_| Step {
            when: literals(random, 0, 2),
            gives: literals(random, 1, 2),
            counts: *random.pick(&[0, 0, 1, -1]),
            cost: *random.pick(&costs),
        });
        let steps = steps.collect();
        Self {
            facts: std::array::from_fn(|_| random.between(0, 1) == 1),
            steps,
            wants: literals(random, 1, 3),
            at_least: (random.between(0, 2) == 0).then(|| random.between(1, 9) as i64),
        }
    }

    fn draft(&self) -> Draft {
        let text = |literals: &[Literal]| {
            let parts = literals.iter().map(|(key, is)| match is {
                true => format!("k{key}"),
                false => format!("!k{key}"),
            });
            parts.collect::<Vec<_>>().join(" && ")
        };
        let facts = self.facts.iter().enumerate();
        let facts = facts.fold(String::new(), |all, (key, is)| {
            all + &format!("k{key}={is} ")
        });
        let mut wants = text(&self.wants);
        if let Some(count) = self.at_least {
            wants += &format!(" && n >= {count}");
        }
        // The parser of drafts knows `true` only as a value.
        let facts = facts.replace("=false", "");
        let mut draft = Draft::new(&format!("{facts}n=0")).wants("all", &wants, 1.0);
        for (index, step) in self.steps.iter().enumerate() {
            let gives = step.gives.iter();
            let gives = gives.map(|(key, is)| format!("k{key} = {is}"));
            let mut gives: Vec<String> = gives.collect();
            match step.counts {
                0 => {}
                1 => gives.push("n += 1".to_owned()),
                _ => gives.push("n -= 1".to_owned()),
            }
            let name = format!("s{index}");
            draft = draft.step(&name, &text(&step.when), &gives.join("; "), step.cost.1);
        }
        draft
    }

    /// The best of all lists that begin with these steps: cost, length, steps.
    fn best(&self, facts: Facts, list: &mut Vec<u8>, cost: u64, best: &mut Option<Best>) {
        let has = |(key, is): &Literal| facts.0[*key] == *is;
        let is_far = self.at_least.is_none_or(|least| facts.1 >= least);
        if is_far && self.wants.iter().all(has) {
            let this = (cost, list.len(), list.clone());
            if best.as_ref().is_none_or(|best| this < *best) {
                *best = Some(this);
            }
            return;
        }
        if list.len() == LONGEST {
            return;
        }
        for (index, step) in self.steps.iter().enumerate() {
            if step.when.iter().all(has) {
                let mut then = facts;
                step.gives.iter().for_each(|(key, is)| then.0[*key] = *is);
                then.1 += step.counts;
                list.push(index as u8);
                self.best(then, list, cost + step.cost.0, best);
                list.pop();
            }
        }
    }
}

type Best = (u64, usize, Vec<u8>);

#[test]
fn no_list_of_steps_is_better() {
    let (mut found, mut long) = (0, 0);
    for seed in 0..300 {
        let small = Small::new(&mut Random::new(seed ^ 0x5EA6));
        let mut best = None;
        small.best(Facts(small.facts, 0), &mut Vec::new(), 0, &mut best);
        let draft = small.draft();
        // The reference comes to the same.
        draft.plan();
        let plan = draft.best();
        match (&plan, &best) {
            (None, None) => {}
            (Some(plan), Some(best)) if plan.1 <= LONGEST => {
                assert_eq!(plan, best, "seed {seed}");
                found += 1;
            }
            (Some(plan), _) if plan.1 > LONGEST => {
                assert!(best.as_ref().is_none_or(|best| plan < best), "seed {seed}");
                long += 1;
            }
            _ => panic!("seed {seed}: {plan:?} is not {best:?}"),
        }
    }
    assert!(
        found > 100 && long > 0,
        "{found} plans, {long} of them long"
    );
}
