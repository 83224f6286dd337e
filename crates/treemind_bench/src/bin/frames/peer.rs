//! Trees of the crate `bevior_tree`. It has no reactive lists, so each task fails as soon as another one should run; then
//! the list comes to its end, and the loop around it begins it again.

use super::{Doing, Frame, Sight};
use bevior_tree::prelude::*;
use bevy_app::prelude::*;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_ecs::system::IntoSystem;

/// Does something as long as it is what the facts ask for.
#[derive(Debug)]
struct Task(Doing);

/// What the facts ask for.
fn wanted(sight: &Sight) -> Doing {
    match (sight.is_hurt, sight.see_enemy) {
        (true, _) => Doing::Flee,
        (false, true) => Doing::Attack,
        (false, false) => Doing::Patrol,
    }
}

impl TaskDefinition for Task {
    fn build_checker(&self) -> Box<TaskChecker> {
        let own = self.0;
        let check = move |In(guard): In<Entity>, mut guards: Query<(&Sight, &mut Doing)>| {
            let (sight, mut doing) = guards.get_mut(guard).expect("a guard");
            if wanted(sight) != own {
                return TaskStatus::Complete(NodeResult::Failure);
            }
            doing.set_if_neq(own);
            TaskStatus::Running
        };
        Box::new(IntoSystem::into_system(check))
    }

    fn build_event_listeners(&self) -> Vec<(TaskEvent, Box<TaskEventListener>)> {
        Vec::new()
    }
}

fn task(doing: Doing) -> Box<dyn Node> {
    Box::new(TaskBridge::new(Box::new(Task(doing))))
}

pub(crate) fn app(guards: usize) -> App {
    let mut app = App::new();
    app.init_schedule(Frame);
    app.add_plugins(BehaviorTreePlugin::default().in_schedule(Frame));
    let tree = app
        .world_mut()
        .resource_scope(|_, mut trees: Mut<'_, Assets<BehaviorTreeRoot>>| {
            let all = [Doing::Flee, Doing::Attack, Doing::Patrol];
            let selector = Selector::new(all.map(task).into());
            BehaviorTree::from_node(InfiniteLoop::new(selector), &mut trees)
        });
    let all: Vec<_> = (0..guards)
        .map(|_| (tree.clone(), Sight::default(), Doing::default()))
        .collect();
    app.world_mut().spawn_batch(all);
    app.world_mut().run_schedule(Frame);
    app
}
