//! What went wrong, in Chinese. In English the faults say it themselves.

use treemind_core::behaviour::{MAX_POSTS, MAX_STACK};
use treemind_core::{FaultKind, OwnNodeFault};

/// What went wrong, without what to do about it.
#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn chinese(fault: &FaultKind) -> String {
    let text = match fault {
        FaultKind::NotNumber => "值不是数字，或不是整数",
        FaultKind::Overflow => "整数溢出",
        FaultKind::TextTooLong => "文本超过4096字节",
        FaultKind::DivisionByZero => "整数除以零",
        FaultKind::BadDuration => "时长为负数或不是有限数",
        FaultKind::BadRating => "评定结果不是有限数",
        FaultKind::BadOutput => "神经网络的某个输入或输出不是有限数",
        FaultKind::BadScore => "评分、出价、代价或滞后值为负数或不是有限数",
        FaultKind::Unset(key) => return format!("键`{key}`未设置"),
        FaultKind::NoItem {
            list,
            place,
            length,
        } => {
            let held = match length {
                0 => "为空".to_owned(),
                1 => "只有一项，序号为0".to_owned(),
                length => format!("有{length}项，序号从0到{}", length - 1),
            };
            return match place {
                Some(place) => format!("列表`{list}`没有第{place}项：它{held}"),
                None => format!("列表`{list}`{held}"),
            };
        }
        FaultKind::LoopBudget(limit) => {
            return format!("循环在一帧内达到{limit}次上限，下一帧继续");
        }
        FaultKind::TurnBudget(limit) => {
            return format!("此智能体的循环在一帧内合计达到{limit}次上限，下一帧继续");
        }
        FaultKind::UnknownTree => "没有这个名称的行为树",
        FaultKind::OwnNode(fault) => match fault {
            OwnNodeFault::NoSuchChild => "请求了不存在的子节点",
            OwnNodeFault::TickedTwice => "在一帧内两次执行了仍在运行的子节点",
            OwnNodeFault::NoAnswer => "在一帧内决定了1000次仍无结果，下一帧继续",
            _ => treemind_core::unlisted(fault),
        },
        FaultKind::Livelock(round) => return format!("状态机陷入死循环：`{round}`"),
        FaultKind::TaskRan => "进入、离开或转换时的任务没有立即结束",
        FaultKind::EventLost {
            event,
            limit,
            is_mailbox,
        } => {
            let place = match is_mailbox {
                true => "智能体的信箱",
                false => "状态机",
            };
            return format!("事件`{event}`丢失：{place}已满，最多保存{limit}个事件");
        }
        FaultKind::PostFull => {
            return format!("智能体在本帧已发出{MAX_POSTS}个事件，达到上限");
        }
        FaultKind::StackFull => return format!("状态机的栈已满，最多保存{MAX_STACK}层"),
        FaultKind::ListFull { list, bound } => {
            return format!("列表`{list}`已满，最多保存{bound}项");
        }
        FaultKind::InstantRan => "即时动作没有立即结束",
        FaultKind::Host(text) => return format!("`{text}`"),
        _ => treemind_core::unlisted(fault),
    };
    text.to_owned()
}
