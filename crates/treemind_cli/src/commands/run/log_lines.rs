//! What happens in the arena: its tone, and its words in each language.

use treemind_arena::{BodyId, Event, EventKind, World};
use treemind_explain::Words;
use treemind_replay::follow::Tone;

pub(super) fn tone(what: EventKind) -> Tone {
    match what {
        EventKind::Arrives | EventKind::Sees(_) | EventKind::Hears(_) | EventKind::Noise(_) => {
            Tone::Notice
        }
        EventKind::Begins("attack" | "run-away" | "swing" | "hide" | "run-for-cover") => {
            Tone::Notice
        }
        EventKind::IsHit { .. }
        | EventKind::Misses
        | EventKind::Dies
        | EventKind::Falls
        | EventKind::Ties(_) => Tone::Fight,
        _ => Tone::Calm,
    }
}

/// An event in words.
pub(super) fn words(world: &World, event: &Event) -> Words {
    Words::Both {
        english: world.tell(event).into(),
        chinese: chinese(world, event).into(),
    }
}

fn chinese(world: &World, event: &Event) -> String {
    let name = |who: BodyId| format!("`{}`", world.body(who).name());
    let does = match event.what {
        EventKind::Arrives => "进场".to_owned(),
        EventKind::Leaves => "离场".to_owned(),
        EventKind::Begins(deed) => format!("开始`{deed}`"),
        EventKind::BreaksOff(deed) => format!("中断`{deed}`"),
        EventKind::Finishes(deed) => format!("完成`{deed}`"),
        EventKind::Sees(whom) => format!("看见{}", name(whom)),
        EventKind::Loses(whom) => format!("失去{}的踪迹", name(whom)),
        EventKind::Hears(whom) => format!("听见{}", name(whom)),
        EventKind::Ties(whom) => format!("捆住{}", name(whom)),
        EventKind::Orders(whom) => format!("向{}下令", name(whom)),
        EventKind::IsHit { damage, left } => format!("受到{damage}点伤害，剩余{left}"),
        EventKind::Whistles => "吹哨".to_owned(),
        EventKind::Misses => "没打中".to_owned(),
        EventKind::Dies => "死亡".to_owned(),
        EventKind::Falls => "被击倒".to_owned(),
        EventKind::Rises => "重新站起来".to_owned(),
        EventKind::Hides => "躲好了".to_owned(),
        EventKind::Recovers => "恢复了".to_owned(),
        EventKind::Opens => "打开一扇门".to_owned(),
        EventKind::Takes(kind) => format!("捡起`{kind}`"),
        EventKind::Uses(kind) => format!("使用`{kind}`"),
        EventKind::Dumps(count) => format!("倒掉{count}件垃圾"),
        EventKind::Queues(0) => "排在队首".to_owned(),
        EventKind::Queues(before) => format!("排队，前面还有{before}个"),
        EventKind::IsCharged => "充满了电".to_owned(),
        EventKind::Eats => "吃完了".to_owned(),
        EventKind::Cooks => "做好了饭".to_owned(),
        EventKind::Reaches => "到达".to_owned(),
        EventKind::Reloads => "装好了弹药".to_owned(),
        EventKind::Noise(range_mm) => return format!("{}米外能听见响声", range_mm / 1_000),
        EventKind::Appears(kind) => return format!("出现`{kind}`"),
        // What the map sets, as it is written.
        EventKind::Changes(_) => return format!("`{}`", world.tell(event)),
    };
    format!("{}{does}", event.who.map(name).unwrap_or_default())
}
