//! What people of a crowd can do and notice.

use super::people::{Deed, Quarter};
use crate::time::TICK;
use treemind::leaves::Action;
use treemind::prelude::*;

/// The leaves of a crowd. `docs/arena.md` describes each of them.
pub(super) fn registry() -> Registry<Quarter> {
    let mut registry = Registry::new();
    registry
        .condition("night", |quarter: &Quarter, me: &Agent| {
            quarter.is_night(quarter.row(me.index()))
        })
        .doc("it is the hour in which this person sleeps")
        .condition("sees-danger", |quarter: &Quarter, me: &Agent| {
            quarter.sees_danger(quarter.row(me.index()))
        })
        .doc("a danger of the script is near")
        .condition("hungry", |quarter: &Quarter, me: &Agent| {
            let ticks = ticks(me.arg("after"))?;
            Ok::<_, TaskError>(quarter.hunger_ticks(quarter.row(me.index())) > ticks as i64)
        })
        .doc("the last meal was more than `after` seconds ago")
        .param("after", 60.0_f32, "seconds")
        .condition("thirsty", |quarter: &Quarter, me: &Agent| {
            let ticks = ticks(me.arg("after"))?;
            Ok::<_, TaskError>(quarter.thirst_ticks(quarter.row(me.index())) > ticks as i64)
        })
        .doc("the last drink was more than `after` seconds ago")
        .param("after", 45.0_f32, "seconds");
    registry
        .action_with("go", Go)
        .doc("walks to this person's own place of that name; success there, failure when there is none")
        .required::<&str>("place", "the name of spots of the map")
        .param("runs", false, "whether it runs");
    registry
        .action("sleep", |quarter: &mut Quarter, me: &mut Agent| {
            let row = quarter.row(me.index());
            quarter.deed[row] = Deed::Sleep;
            match quarter.is_night(row) {
                true => Status::Running,
                false => Status::Success,
            }
        })
        .doc("sleeps until the morning");
    for (name, deed, secs, doc) in [
        (
            "work",
            Deed::Work,
            20.0,
            "works for `secs` seconds, give or take a quarter",
        ),
        (
            "eat",
            Deed::Eat,
            5.0,
            "eats for `secs` seconds, and is not hungry any more",
        ),
        (
            "drink",
            Deed::Drink,
            2.0,
            "drinks for `secs` seconds, and is not thirsty any more",
        ),
        ("talk", Deed::Talk, 8.0, "talks for `secs` seconds"),
        ("hide", Deed::Hide, 15.0, "hides for `secs` seconds"),
    ] {
        registry
            .action_with(name, Stay(deed))
            .doc(doc)
            .param("secs", secs as f32, "seconds");
    }
    registry
}

/// Seconds as ticks.
fn ticks(secs: f32) -> Result<u64, TaskError> {
    if !(0.0..=100_000.0).contains(&secs) {
        return Err(format!("{secs} seconds are not possible").into());
    }
    // One division and one rounding, which IEEE 754 defines to the last bit.
    Ok((secs / TICK.as_secs_f32()) as u64)
}

/// A walk.
struct Go;

impl Action<Quarter> for Go {
    fn start(&self, quarter: &mut Quarter, me: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        let name: &str = me.arg("place");
        let Some(place) = quarter.town.name_of(name) else {
            return Err(format!("the map has no spot `{name}`").into());
        };
        let row = quarter.row(me.index());
        quarter.set_out(row, place, me.arg("runs"));
        Ok(())
    }

    fn update(&self, quarter: &mut Quarter, me: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        Ok(match quarter.walk(quarter.row(me.index())) {
            Some(true) => Status::Success,
            Some(false) => Status::Running,
            None => Status::Failure,
        })
    }

    fn has_stop(&self) -> bool {
        false
    }
}

/// Something that takes a while where the person is.
struct Stay(Deed);

impl Action<Quarter> for Stay {
    fn start(&self, quarter: &mut Quarter, me: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        let ticks = ticks(me.arg("secs"))?;
        quarter.begin(quarter.row(me.index()), self.0, ticks);
        Ok(())
    }

    fn update(&self, quarter: &mut Quarter, me: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        let row = quarter.row(me.index());
        if !quarter.is_done(row) {
            return Ok(Status::Running);
        }
        match self.0 {
            Deed::Eat => quarter.note_meal(row),
            Deed::Drink => quarter.note_drink(row),
            _ => {}
        }
        Ok(Status::Success)
    }

    fn stop(
        &self,
        quarter: &mut Quarter,
        me: &mut Agent<'_, '_>,
        _: Outcome,
    ) -> Result<(), TaskError> {
        let row = quarter.row(me.index());
        quarter.deed[row] = Deed::Stand;
        Ok(())
    }
}
