//! How `leaves` declares the kinds of leaves.

use super::Checker;
use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{COMPOSITE_MAX, COMPOSITE_MIN};
use crate::said;
use crate::syntax::Value as Written;
use treemind_core::Type;
use treemind_core::behaviour::{LeafKind, Life};

impl Checker<'_> {
    /// The kind of leaf that the line declares.
    pub(super) fn leaf_kind(&mut self, line: &mut Line<'_>) -> LeafKind {
        match line.node.name.value.as_str() {
            "condition" => LeafKind::Condition,
            "sensor" => LeafKind::Sensor,
            "event" => LeafKind::Event,
            "measure" => LeafKind::Measure,
            "candidates" => self.candidates(line),
            "service" => LeafKind::Service,
            "decorator" => LeafKind::Decorator,
            "composite" => self.composite(line),
            _ => LeafKind::Action {
                life: life(line, self.sink),
            },
        }
    }

    /// `type=`: what the candidates are.
    fn candidates(&mut self, line: &mut Line<'_>) -> LeafKind {
        let types = [Type::Vec2, Type::Vec3, Type::Entity];
        let entry = line.property("type");
        let ty = match entry.map(|entry| &entry.value) {
            Some(Written::Text(text)) => types.into_iter().find(|ty| ty.to_string() == text.value),
            _ => None,
        };
        if ty.is_none() && entry.is_none_or(|entry| entry.value != Written::Bad) {
            let message = said!("candidates are of type `vec2`, `vec3` or `entity`");
            let span = entry.map_or(&line.node.name.span, |entry| &entry.value_span);
            self.sink
                .error(Code::WrongType, span.clone(), message)
                .with_help(said!("write `type=vec2`"));
        }
        LeafKind::Candidates {
            ty: ty.unwrap_or(Type::Vec2),
        }
    }

    /// `min=` and `max=`: how many children the composite takes.
    fn composite(&mut self, line: &mut Line<'_>) -> LeafKind {
        let least = self.read(line, &COMPOSITE_MIN).flatten().unwrap_or(1);
        let mut most = self.read(line, &COMPOSITE_MAX).flatten();
        if most.is_some_and(|most| most < least)
            && let Some(entry) = line.property("max")
        {
            let message = said!("`max` is less than `min`");
            self.sink
                .error(Code::BadNumber, entry.span.clone(), message)
                .with_help(said!("use at least {}, which is its `min`", least));
            most = None;
        }
        LeafKind::Composite { least, most }
    }
}

/// `instant=` and `reports=`.
fn life(line: &mut Line<'_>, sink: &mut Sink) -> Life {
    let instant = line.flag("instant", sink);
    let reports = line.flag("reports", sink);
    match (instant, reports) {
        (false, false) => Life::Updated,
        (true, false) => Life::Instant,
        (false, true) => Life::Reported,
        (true, true) => {
            if let Some(entry) = line.property("reports") {
                let message =
                    said!("an `instant` action ends at once, so its end cannot be reported later");
                sink.error(Code::Contradiction, entry.span.clone(), message)
                    .with_help(said!("remove one of the two"));
            }
            Life::Instant
        }
    }
}
