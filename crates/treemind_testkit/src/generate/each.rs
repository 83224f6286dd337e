//! Random planners with `each`, as documents, and the same ones with all steps written out.

use crate::random::Random;
use std::fmt::Write;

/// What an `each` goes through.
struct Each {
    item: &'static str,
    of: &'static str,
    /// Each value as it is written, and as names of steps end with it.
    values: Vec<(String, String)>,
    is_enum: bool,
}

/// A planner with `each` over an enumeration and a list, and the same one without `each`.
pub fn planners_with_each(random: &mut Random) -> [String; 2] {
    let mut all = Writer {
        random,
        texts: [String::new(), String::new()],
    };
    all.document();
    all.texts
}

struct Writer<'r> {
    random: &'r mut Random,
    /// With `each`, and written out.
    texts: [String; 2],
}

impl Writer<'_> {
    fn say(&mut self, line: &str) {
        for text in &mut self.texts {
            writeln!(text, "{line}").expect("a text takes everything");
        }
    }

    fn document(&mut self) {
        let values = self.random.between(2, 4);
        let places: Vec<String> = (0..values).map(|at| format!("v{at}")).collect();
        let mut numbers = [0, 1, 2, -3, 7].map(|number: i64| number).to_vec();
        let stops = (0..self.random.between(1, 3)).map(|_| {
            let at = self.random.below(numbers.len());
            numbers.remove(at)
        });
        let stops: Vec<String> = stops.map(|stop| stop.to_string()).collect();
        self.say("main planner=p");
        let (values, first) = (places.join(" "), self.random.pick(&places).clone());
        let items = stops.join(" ");
        self.say(&format!(
            "blackboard {{\n    key at type=enum default={first} {{ value {values}; }}\n    key stops type=int list=4 {{ default {items}; }}\n    key n type=int\n    key m type=int default=2\n    key a type=bool\n    key b type=bool\n}}\nleaves {{ action go; action visit; action work; }}\nplanner p {{"
        ));
        let eaches = [
            Each {
                item: "place",
                of: "at",
                values: places
                    .iter()
                    .map(|one| (one.clone(), one.clone()))
                    .collect(),
                is_enum: true,
            },
            Each {
                item: "stop",
                of: "stops",
                values: stops.iter().map(|one| (one.clone(), one.clone())).collect(),
                is_enum: false,
            },
        ];
        let mut names = Vec::new();
        self.goals(&places, &stops);
        for at in 0..self.random.between(1, 3) {
            let name = format!("plain{at}");
            let rest = self.plain_step();
            self.say(&format!("    action work name={name} {rest}"));
            names.push(name);
        }
        for each in &eaches {
            self.each(each, &mut names);
        }
        self.task(&names, &places);
        self.say("}");
    }

    fn goals(&mut self, places: &[String], stops: &[String]) {
        let place = self.random.pick(places).clone();
        let stop = self.random.pick(stops).clone();
        let wants = [
            format!("at == {place} && a"),
            format!("n == {stop} && b"),
            format!("n > {stop}"),
            format!("at == {place} && n == {stop}"),
        ];
        let wanted = self.random.pick(&wants).clone();
        self.say(&format!("    goal first wants=\"{wanted}\""));
        let when = *self.random.pick(&["", " when=\"m > 1\"", " when=\"!a\""]);
        let score = *self.random.pick(&["0.5", "1", "2"]);
        self.say(&format!("    goal second does=all{when} score={score}"));
    }

    fn plain_step(&mut self) -> String {
        let when = *self.random.pick(&[
            "",
            " when=\"n > 0\"",
            " while=\"at == v1\"",
            " skip-if=\"a\"",
        ]);
        let gives = *self.random.pick(&[
            "a = true",
            "b = !b; n -= 1",
            "m += 1",
            "a = true; b = n > 1",
        ]);
        let cost = *self
            .random
            .pick(&["", " cost=2", " cost=\"m * 0.5\"", " cost=\"1 - n\""]);
        format!("on-success=\"{gives}\"{when}{cost}")
    }

    /// Up to two steps for each value. `$` stands for it.
    fn each(&mut self, each: &Each, names: &mut Vec<String>) {
        let word = if each.is_enum { "go" } else { "visit" };
        let steps = (0..self.random.between(1, 2)).map(|_| {
            let options: [&[&str]; 3] = match each.is_enum {
                true => [
                    &[
                        "",
                        " when=\"at != $\"",
                        " fail-if=\"at == $\"",
                        " when=\"n > 0 && at != $\"",
                    ],
                    &["at = $", "at = $; n += 1", "a = at == $; at = $"],
                    &["", " cost=3", " cost=\"1 + n\""],
                ],
                false => [
                    &[
                        "",
                        " when=\"n != $\"",
                        " when=\"n < $ || a\"",
                        " while=\"$ >= n\"",
                    ],
                    &["n = $", "n += $; b = true", "b = n == $; n = $ + 1"],
                    &[
                        "",
                        " cost=\"$ * m\"",
                        " cost=\"$ * 0.5 + 1\"",
                        " cost=\"2 - $\"",
                        " cost=\"m + $ - n\"",
                    ],
                ],
            };
            let [when, gives, cost] = options.map(|all| *self.random.pick(all));
            format!("on-success=\"{gives}\"{when}{cost}")
        });
        let steps: Vec<String> = steps.collect();
        let name = |at: usize| format!("{word}{at}");
        let text = &mut self.texts[0];
        let (item, of) = (each.item, each.of);
        *text += &format!("    each {item} of={of} {{\n");
        for (at, step) in steps.iter().enumerate() {
            let step = step.replace('$', item);
            *text += &format!("        action {word} name={} {step}\n", name(at));
        }
        *text += "    }\n";
        for (value, end) in &each.values {
            for (at, step) in steps.iter().enumerate() {
                let step = step.replace('$', value);
                let name = format!("{}-{end}", name(at));
                self.texts[1] += &format!("    action {word} name={name} {step}\n");
                names.push(name);
            }
        }
    }

    fn task(&mut self, names: &[String], places: &[String]) {
        self.say("    task all {");
        for _ in 0..self.random.between(1, 3) {
            let steps = (0..self.random.between(0, 3)).map(|_| self.random.pick(names).clone());
            let steps = steps.collect::<Vec<_>>().join(" ");
            let place = self.random.pick(places);
            let whens = [
                String::new(),
                " when=\"!b\"".to_owned(),
                format!(" when=\"at == {place}\""),
            ];
            let when = self.random.pick(&whens).clone();
            self.say(&format!("        method \"{steps}\"{when}"));
        }
        self.say("    }");
    }
}
