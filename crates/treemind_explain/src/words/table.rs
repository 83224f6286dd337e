//! The table: every sentence in English and in Chinese.
//!
//! The words of Chinese are those of the studio (`studio/src/texts/`). It has no spaces and no marks of quotation here;
//! the writer puts them in.

super::sentences! {
    // What is put together.
    Plus(one, more) "{one}{more}" "{one}{more}";
    Colon(one, more) "{one}: {more}" "{one}：{more}";
    More(more) ": {more}" "：{more}";
    Times(what, times) "{what} ({times} times)" "{what}（{times}次）";
    AndMore(more) "and {more} more" "还有{more}项";
    NamesAndMore(names, more) "{names} and {more} more" "{names}以及另外{more}个";
    NumberMore(more) "{more} more" "另外{more}个";

    // When.
    InTick(tick) " in tick {tick}" "在第{tick}帧";
    WhatInTick(tick, what) "in tick {tick}: {what}" "第{tick}帧：{what}";
    InThisTick() " in this tick" "在本帧";
    Since(tick) ", since tick {tick}" "（自第{tick}帧起）";
    AtLeastSince(tick) ", at least since tick {tick}" "（至少自第{tick}帧起）";
    DidNotInTick(tick) "; in tick {tick} it did not" "；第{tick}帧时不成立";
    DidInTick(tick) "; in tick {tick} it did" "；第{tick}帧时成立";
    OtherwiseInTick(tick) "; in tick {tick} it gave another answer" "；第{tick}帧时结果不同";
    AskedSkip() "; it asked to be skipped in this tick" "；它请求跳过本帧";
    Unticked() "; it was not ticked in this tick" "；本帧未执行到它";

    // Who.
    TheOf(label, inner) "the {label} of {inner}" "{inner}所在的{label}";
    TheKind(kind, label) "the {kind} {label}" "{kind}节点{label}";
    TheGuard(word, name) "the guard {word} of {name}" "{name}的守卫条件{word}";
    Itself() "this agent itself" "此智能体自己";
    AgentNumber(number) "agent {number}" "智能体{number}";
    TheEvent(events) "event {events}" "事件{events}";
    TheTest(name, test) "{name}, {test}," "{name}（{test}）";

    // What a node did.
    Succeeded(name, when) "{name} succeeded{when}" "{name}{when}成功";
    Failed(name, when) "{name} failed{when}" "{name}{when}失败";
    IsRunning(name, since) "{name} is running{since}" "{name}正在运行{since}";
    WasRunning(name) "{name} was running" "{name}刚才在运行";
    WasRunningIn(name, tick) "{name} was running in tick {tick}" "{name}在第{tick}帧还在运行";
    WasSkipped(name, when) "{name} was skipped{when}" "{name}{when}被跳过";
    HasFault(what) "{what}: it has a fault" "{what}：出错";
    Holds(name) "{name} holds" "{name}成立";
    NameHasFault(name, fault) "{name} has a fault: {fault}" "{name}出错：{fault}";
    HoldsNot(name) "{name} does not hold" "{name}不成立";
    IsOver(name) "{name} is over" "{name}已结束";
    IsNotOver(name, since) "{name} is not over{since}" "{name}尚未结束{since}";
    WaitsFor(name, event, since) "{name} waits for the {event}{since}" "{name}正在等待{event}{since}";
    EventCame(event) "{event} came" "{event}到来";
    NoEventCame(event) "no {event} came" "没有收到{event}";
    EventIsLost(event) "the event {event} is lost: nothing that runs waits for it" "事件{event}丢失：正在运行的部分都没有等待它";
    TheEventCame(event, when) "the event {event} came{when}" "事件{event}{when}到来";
    GoesOnNextTick(name) "{name} goes on in the next tick" "{name}下一帧继续";
    GoesOnAt(name, child) "{name} goes on at {child}" "{name}从{child}继续";
    StaysAt(name, child) "{name} stays at {child}" "{name}停在{child}";
    DidNotGoOn(name) "{name} did not go on" "{name}没有继续";

    // Keys and who wrote them.
    WasWritten(key, when) "{key} was written{when}" "{key}{when}被写入";
    WasNotWritten(key) "{key} was not written since the last look" "{key}自上次查看后未被写入";
    WasNotWrittenSince(key, name) "{key} was not written since the last look of {name}" "{key}自{name}上次查看后未被写入";
    ChangedFrom(key, from, to, when, by) "{key} changed from {from} to {to}{when}: {by}" "{key}{when}从{from}变为{to}：{by}";
    CameWithEvent(key, event, when) "{key} came with the event {event}{when}" "{key}{when}随事件{event}到来";
    GameWrote() "the game wrote it" "由游戏写入";
    TestGave() "the test gave it" "由测试给出";
    WasTyped() "it was typed in the studio" "在工作室中输入";
    WasKept() "it had this value before its name changed" "改名前即为此值";
    GameWroteIn(name) "the game wrote it in {name}" "由游戏在{name}中写入";
    GameWroteInOf(node, agent) "the game wrote it in {node} of {agent}" "由游戏在{agent}的{node}中写入";
    SensorComputed(sensor) "the sensor {sensor} computed it" "由传感器{sensor}算出";
    WasComputed() "it was computed" "由计算得出";
    NodeWrote(node) "{node} wrote it" "由{node}写入";
    OnFaultWrote(node) "the `on-fault` of {node} wrote it" "由{node}的`on-fault`写入";
    NodeOfWrote(node, agent) "{node} of {agent} wrote it" "由{agent}的{node}写入";
    TogetherWrote(agents) "{agents} wrote it, and their changes were added up" "由{agents}写入，改变量已累加";
    CameToGroup(group) "the agent came to group {group}, where it is so" "智能体来到第{group}组，那里就是这个值";
    OtherProgramWrote() "the game or an agent of another program wrote it" "由游戏或其他程序的智能体写入";
    SomebodyWrote() "the game or another agent wrote it" "由游戏或其他智能体写入";

    NetworkGave(name, outputs) "the network {name} gave {outputs}" "神经网络{name}输出：{outputs}";
    InputChanges(input, value, default, outputs) "{input} is {value}; at {default}, it would have given {outputs}" "{input}为{value}；若为{default}，则输出：{outputs}";

    InputsWere(inputs) "its inputs were {inputs}" "输入：{inputs}";
    ItCameTo(score) "it came to {score}" "结果为{score}";
    Considered(name, value, by, weight) "{name} {value}, with the weight {by} of {weight}" "{name}为{value}，权重{by}为{weight}";

    // Choices.
    LeadsTo(name, way) "{name} leads to {way}" "{name}通向{way}";
    NoCaseHolds() "no case holds" "没有分支成立";
    ChoseWay(test, way) "{test} chose {way}" "{test}选中{way}";
    ScoresWere(scores) "the scores were {scores}" "评分：{scores}";
    ScoreOf(name, score) "{name} {score}" "{name}为{score}";
    IsInState(machine, state, since) "{machine} is in the state {state}{since}" "{machine}处于状态{state}{since}";

    // Why nothing else.
    WasNotAsked(name) "{name} was not asked" "{name}未执行";
    ComesBeforeIt(name, chosen) "{name} was not asked: {chosen} comes before it" "{name}未执行：{chosen}排在它前面";
    HasBegun(name, chosen) "{name} was not asked again: {chosen} has begun" "{name}未再执行：{chosen}已经开始";
    WasNotDrawn(name) "{name} was not drawn" "{name}未被抽中";
    IsOtherBranch(name) "{name} is the other branch" "{name}是另一个分支";
    CaseNotChosen(name) "the case of {name} was not chosen" "{name}的分支未被选中";
    ScoredLess(name, score, less, chosen) "{name} scored {score}, {less} less than {chosen}" "{name}评分为{score}，比{chosen}低{less}";
    ScoredTooLittle(name, score, chosen, best) "{name} scored {score}, which is not enough to replace {chosen} with {best}" "{name}评分为{score}，不足以取代评分为{best}的{chosen}";
    WasNotScored(name) "{name} was not scored in this tick" "{name}本帧未评分";
    WasNotReached(name) "{name} was not reached" "未执行到{name}";
    NothingTicked(name) "{name} was not reached: nothing was ticked" "未执行到{name}：本帧什么都没有执行";

    // What changed.
    Started(name) "{name} started" "{name}开始";
    EndedWithSuccess(name, when) "{name} ended with success{when}" "{name}{when}成功结束";
    EndedWithFailure(name, when) "{name} ended with failure{when}" "{name}{when}失败结束";
    StartedAndSucceeded(name) "{name} started and ended with success" "{name}开始并成功结束";
    StartedAndFailed(name) "{name} started and ended with failure" "{name}开始并失败结束";
    WentTo(machine, states) "{machine} went to {states}" "{machine}转到{states}";
    WasCutOff(name, when) "{name} was cut off{when}" "{name}{when}被打断";
    CutOffBecause(name, why) "{name} was cut off: {why}" "{name}被打断：{why}";
    WhileEnded(name) "{name} no longer holds" "{name}不再成立";
    AskedToBeSkipped() "it asked to be skipped" "它请求跳过";
    GameAborted() "the game aborted it" "游戏中止了它";
    TestAborted() "the test aborted it" "测试中止了它";
    GuardAnswered(name) "a guard of {name} answered" "{name}的守卫条件给出了结果";
    AndComesBefore(did, name) "{did}, and comes before it in {name}" "{did}，且在{name}中排在它前面";
    DidIn(did, name) "{did} in {name}" "{name}中的{did}";
    AndEnded(did, name) "{did}, and that ended {name}" "{did}，{name}因此结束";
    AndIsTask(did, name) "{did}, and it is the task of {name}" "{did}，它是{name}的主任务";
    TestTurned(name) "the test of {name} gave another answer" "{name}的条件结果变了";
    ChoseElse(name) "{name} chose something else" "{name}选了别的";
    ChoseByScore(name) "{name} chose another child by its score" "{name}按评分选了另一个子节点";
    TimeWasOver(name, when) "the time of {name} was over{when}" "{name}的时间{when}已到";
    WasInterrupted(name) "{name} was interrupted" "{name}被中断";
    LeftItsState(name) "{name} left its state" "{name}离开了原来的状态";
    GameDecided(name) "the game decided so in {name}" "游戏在{name}中这样决定";

    MadePlan(name, goal) "{name} made a plan for {goal}" "{name}为{goal}制定了计划";
    GaveUpPlan(name, goal) "{name} gave up its plan for {goal}" "{name}放弃了{goal}的计划";
    FoundNoPlan(name, goal) "{name} found no plan for {goal}" "{name}没有找到{goal}的计划";
    BeganToLook(name, goal) "{name} began to look for a plan for {goal}" "{name}开始为{goal}寻找计划";

    // Decorators.
    TimeIsOver(name) "the time of {name} is over" "{name}的时间已到";
    RunsOnce(name) "{name} has run, and runs once only" "{name}已运行过，且只运行一次";
    NoMoreRuns(name) "{name} allows no more runs" "{name}的次数已用完";
    CoolsDown(name, tick) "{name} is not over: its child ran last in tick {tick}" "{name}尚未结束：子节点上次运行在第{tick}帧";
    DrewTooMuch(name, number, wanted) "{name} drew {number}, which is not below {wanted}" "{name}抽到{number}，不小于{wanted}";
    DecidedAgainst(name) "{name} decided against it" "{name}决定不执行";
    NoPlace(semaphore) "the semaphore {semaphore} gave it no place" "信号量{semaphore}没有名额";
    HasPlaceAfter(semaphore) "it asked the semaphore {semaphore} for a place, and has one after the tick" "它向信号量{semaphore}申请名额，本帧结束后得到";
    NobodyHolds() "no agent of this population holds a place after the tick" "本帧结束后，此群体中没有智能体占用名额";
    PlaceHeld(holders) "after the tick, its place is held by {holders}" "本帧结束后，名额由{holders}占用";
    LostPlace(semaphore) "the semaphore {semaphore} took its place back for a higher bid" "信号量{semaphore}为更高的出价收回了它的名额";
    BidsNothing() "it bids 0, and 0 gets no place" "它出价0，而出价0得不到名额";
    BidBelow(bid, least, other) "its bid {bid} is below {least} of {other}" "它出价{bid}，低于{other}的{least}";
    BidIsTooLate(bid, least, other) "its bid {bid} is not below {least} of {other}, but nobody loses a place to a higher bid here" "它出价{bid}，不低于{other}的{least}，但此处没有人因更高的出价失去名额";
    BidIsNotEnough(bid, least, other, hysteresis) "its bid {bid} does not exceed {least} of {other} by more than {hysteresis}" "它出价{bid}，比{other}的{least}高出不足{hysteresis}";
    BidIsNext(bid, least, other) "its bid {bid} exceeds {least} of {other}, who has to give the place back" "它出价{bid}，高于{other}的{least}；对方必须交还名额";
    GivesBack(other) "it is next: {other} has to give a place back" "下一个轮到它：{other}必须交还名额";
    KeptByMinHold(bid, least, other) "its bid {bid} exceeds {least} of {other}, who keeps the place until `min-hold` is over" "它出价{bid}，高于{other}的{least}；但在`min-hold`结束前，对方保留名额";
    BidIsBehind(bid, more, other) "its bid {bid} does not exceed {more} of {other}, who is to get the next place" "它出价{bid}，不高于{other}的{more}；下一个名额归后者";
    NodeOf(node, agent) "{node} of {agent}" "{agent}的{node}";
    PlacesHeld(places, taken, holders) "after the tick, of its {places} places, {taken} are held by {holders}" "本帧结束后，{places}个名额中有{taken}个由{holders}占用";

    // Planners.
    Pursues(name, goal) "{name} pursues {goal}" "{name}追求{goal}";
    PursuesWithScore(name, goal, score) "{name} pursues {goal} (score {score})" "{name}追求{goal}（评分{score}）";
    GoalHolds(goal) "{goal} holds already" "{goal}已经成立";
    GoalIsShut(goal, when) "{goal} is not pursued: {when} does not hold" "不追求{goal}：{when}不成立";
    GoalWhenFaulty(goal, when) "{goal} is not pursued: its condition {when} has a fault" "不追求{goal}：其条件{when}出错";
    GoalScoreFaulty(goal) "{goal} is not pursued: its score has a fault" "不追求{goal}：其评分出错";
    GoalScores(goal, score) "{goal} is not pursued: its score is {score}" "不追求{goal}：其评分为{score}";
    GoalScoresNothing(goal) "{goal} has no score above 0" "{goal}没有高于0的评分";
    ThePlanIs(steps, cost) "the plan is {steps}, for {cost}" "计划为{steps}，代价{cost}";
    ThePlanIsEmpty() "the plan has no steps" "计划无需任何步骤";
    StepOfPlan(step, nth, steps, cost, when) "{step} is step {nth} of the plan {steps}, for {cost}, made{when}" "{step}是计划{steps}（代价{cost}，{when}制定）的第{nth}步";
    StepOfOldPlan(step, nth, steps) "{step} is step {nth} of the plan {steps}" "{step}是计划{steps}的第{nth}步";
    StepComesLater(step, nth, current) "{step} is step {nth} of the plan, and {current} comes before it" "{step}是计划的第{nth}步，{current}排在它前面";
    StepIsDone(step, nth) "{step} was step {nth} of the plan, and is done" "{step}是计划的第{nth}步，已完成";
    StepNotInPlan(step, steps) "{step} is not part of the plan {steps}" "{step}不在计划{steps}中";
    ScoredNoMore(name, score, chosen) "{name} scored {score}, no more than {chosen}" "{name}评分为{score}，不高于{chosen}";
    GoalIsReached(goal) "{goal} is reached" "{goal}已达成";
    LooksForPlan(name, goal, since) "{name} looks for a plan for {goal}{since}" "{name}正在为{goal}寻找计划{since}";
    SearchGoesOn(count, tick) "it looks at up to {count} situations in a turn, and goes on in tick {tick}" "每轮最多查看{count}个情形，第{tick}帧继续";
    ThinksFirst(name, tick) "{name} thinks for the first time in tick {tick}" "{name}在第{tick}帧第一次思考";
    ThinksAgain(name, tick) "{name} thinks again in tick {tick}" "{name}在第{tick}帧再次思考";
    StepForStep(step, other, part) "{step}, because {other} needs {part}" "{step}，因为{other}需要{part}";
    StepForGoal(step, goal, part) "{step}, because {goal} wants {part}" "{step}，因为{goal}要求{part}";
    NeverTrue() "what is never true" "永不成立的条件";
    PartWithItem(part, item, value) "{part}, where {item} is {value}" "{part}（其中{item}为{value}）";
    StepForBoth(step, other, part, goal, wanted) "{step}, because {other} needs {part}, and {goal} wants {wanted}" "{step}，因为{other}需要{part}，且{goal}要求{wanted}";
    StepMakesCost(step, costs) "{step}, because it makes {costs}" "{step}，因为它使{costs}";
    CostsInstead(step, cost, other) "{step} cost {cost} and not {other}" "{step}的代价为{cost}而不是{other}";
    StepOtherwise(step, what) "{step}, because without it {what}" "{step}，因为没有它，{what}";
    EffectHasFault(step, effect, fault) "{step} cannot be used: its {effect} has a fault: {fault}" "{step}不能用：其{effect}出错：{fault}";
    StepOfMethod(step) "{step}, because a method says so" "{step}，因为方法如此规定";
    StepGives(step, gives) "{step} gives {gives}" "{step}带来{gives}";
    SearchNotSeen() "what each step is for is not known: what the search began with was not seen, and saves do not keep it for reasons" "各步骤的用途未知：没有看到搜索开始时的情形，存档也不为解释保留它";
    NoPlanFor(goal) "there is no plan for {goal}" "{goal}没有可行的计划";
    GaveUpAfter(count) "the search gave up after {count} situations" "搜索了{count}个情形后放弃";
    MayLookAtMore(most) "`max-expansions=` allows more, up to {most}" "`max-expansions=`可以允许更多，最多{most}";
    NoPlanWithin(count) "no plan of up to {count} steps leads there" "{count}步以内没有可行的计划";
    MayTakeMore(most) "`max-steps=` allows more, up to {most}" "`max-steps=`可以允许更多，最多{most}";
    TooDeep(count) "tasks in tasks were not followed deeper than {count}" "任务嵌套只跟到{count}层";
    NearestLacked(parts) "the situation that came nearest lacked {parts}" "最接近的情形缺{parts}";
    StepWasLeftOut(step) "{step} was left out" "{step}不再使用";
    ThenLeftOut(step) "then {step} was left out" "之后{step}不再使用";
    OneMissingAtStep(step, part) "one thing is missing: {step} needs {part}" "只缺一项：{step}需要{part}";
    OneMissingAtGoal(goal, part) "one thing is missing: {goal} wants {part}" "只缺一项：{goal}要求{part}";
    KeyIs(key, value) "{key} is {value}" "{key}为{value}";
    NoStepGives(part) "no step gives {part}" "没有步骤能带来{part}";
    NoOtherStepGives(part) "no other step gives {part}" "没有其他步骤能带来{part}";
    ItHasFault(fault) "it has a fault: {fault}" "它出错：{fault}";
    GivesAndTakes(step, given, part, wanted) "one thing stands in the way: {step} gives {given}, but takes away {part}, which {wanted}, too" "只有一处障碍：{step}带来{given}，却使{part}不再成立，而{wanted}";
    TakesAway(step, part, wanted) "one thing stands in the way: {step} takes away {part}, which {wanted}" "只有一处障碍：{step}使{part}不再成立，而{wanted}";
    MakesTrue(step, key, part, wanted) "one thing stands in the way: {step} makes {key} true, and {wanted} {part}" "只有一处障碍：{step}使{key}为真，而{wanted}（{part}）";
    GivesAndMakesTrue(step, given, key, part, wanted) "one thing stands in the way: {step} gives {given}, but makes {key} true, and {wanted} {part}" "只有一处障碍：{step}带来{given}，却使{key}为真，而{wanted}（{part}）";
    MakeTrue(steps, key, part, wanted) "{steps} make {key} true, and {wanted} {part}" "{steps}都使{key}为真，而{wanted}（{part}）";
    TakeAway(steps, part, wanted) "{steps} take away {part}, which {wanted}" "{steps}都使{part}不再成立，而{wanted}";
    NeededByStep(step) "{step} needs" "{step}也需要它";
    WantedByGoal(goal) "{goal} wants" "{goal}也要求它";
    AndNoStepGivesItBack() ", and no step gives it back" "，且没有步骤能恢复它";
    WithoutThatThePlanIs(steps, cost) "without that, the plan would be {steps}, for {cost}" "若非如此，计划会是{steps}，代价{cost}";
    WithItThePlanIs(steps, cost) "with it, the plan is {steps}, for {cost}" "有了它，计划为{steps}，代价{cost}";
    WithItNothingIsToDo() "with it, nothing is left to do" "有了它，就无事可做了";
    CannotBothHold(goal, one, two) "{goal} wants {one} and {two}, which cannot both hold" "{goal}要求{one}与{two}，而两者不可能同时成立";
    NeverTogether(parts) "nowhere that the steps lead do these hold together: {parts}" "步骤能到达的情形中，以下从不同时成立：{parts}";
    TwoMissing() "at least two things are missing" "至少缺两项";
    StoppedLooking() "what is missing was not found: there are too many situations" "情形太多，未能找出缺什么";
    NeverHolds(parts) "nowhere that the steps lead does this hold: {parts}" "步骤能到达的情形中，以下从不成立：{parts}";
    GetsTo(steps) "the furthest that its methods lead is {steps}" "方法最远走到{steps}";
    GetsNowhere() "its methods lead to no first step" "方法走不到第一步";
    StepNeeds(step, part) "then {step} needs {part}" "之后{step}需要{part}";
    StepsNeed(steps, part) "then {steps} need {part}" "之后{steps}都需要{part}";
    Then(what) "then {what}" "之后{what}";
    AfterSteps(steps, what) "after {steps}, {what}" "{steps}之后，{what}";
    AtFirst(what) "at first, {what}" "起初，{what}";
    CostIs(step, cost, value) "{step} cannot be used: its cost {cost} is {value}" "{step}不能用：其代价{cost}为{value}";
    CostIsNone(step, cost) "{step} cannot be used: its cost {cost} cannot be computed" "{step}不能用：其代价{cost}无法计算";
    StepHasNoCost(step) "{step} cannot be used: it has no cost" "{step}不能用：它没有代价";
    WithCosts(steps) "with a cost that is 0 or more, the plan would be {steps}" "若代价不为负，计划为{steps}";
    MethodNeeds(method, task, part) "method {method} of {task} needs {part}" "{task}的第{method}个方法需要{part}";
    DroppedBroken(step, part) "{step} cannot be used any more: it needs {part}" "{step}不能再用：它需要{part}";
    DroppedBrokenStep(step) "{step} cannot be used any more" "{step}不能再用";
    DroppedUnmet() "the rest of the plan no longer leads to the goal" "计划余下的步骤不再通向目标";
    GoalNotReached() "the plan is at its end, and the goal is not reached" "计划已到最后一步，而目标尚未达成";
    BidHasFault(fault) "its bid has a fault and counts as 0, so it asks for no place: {fault}" "它的出价出错，按0计，因此不申请名额：{fault}";
    BidIsNone() "a bid is not a finite number" "出价不是有限数";
    CandidateScoreIsNone() "the score of a candidate is not a finite number" "某个候选的评分不是有限数";
    KeyIsAndNot(key, value, wanted) "{key} is {value} and not {wanted}" "{key}为{value}，而不是{wanted}";
    DidNotComeTrue(step, facts) "{step} succeeded, but {facts}" "{step}成功，但{facts}";
    AndStepNeeds(what, step, part) "{what}, and {step} needs {part}" "{what}，而{step}需要{part}";
    StepWasVain(step) "{step} changed nothing that it promised, and is left out" "{step}没有带来它承诺的变化，不再使用";
    StepFailed(step) "{step} failed, and is left out" "{step}失败，不再使用";
    StepSkipped(step) "{step} was skipped, and is left out" "{step}被跳过，不再使用";
    StepEndedByGuard(step) "a guard ended {step}, and it is left out" "{step}被守卫条件结束，不再使用";
    DroppedVain() "the last step changed nothing that it promised, and is left out" "上一步没有带来它承诺的变化，不再使用";
    DroppedFailed() "the step failed, and is left out" "这一步失败，不再使用";
    DroppedOver() "the goal is no longer wanted" "不再追求原来的目标";
    DroppedGoal(goal) "{goal} is no longer wanted" "不再追求{goal}";
    GivenUp(steps, goal, what) "the plan {steps} for {goal} was given up: {what}" "放弃了{goal}的计划{steps}：{what}";
    DroppedNoPlan(goal) "there is no plan for {goal} any more" "{goal}不再有可行的计划";
    DroppedBeaten() "there is a plan for something better" "有了更好目标的计划";
    DroppedForMethod(task) "an earlier method of {task} can be used now" "{task}有更靠前的方法可用";
    DroppedForGoal(goal) "there is a plan for {goal}, which is wanted more" "有了{goal}的计划，它更重要";
    DroppedDearer() "there is a cheaper plan" "有了代价更低的计划";
    DroppedCheaper(steps, cost, other) "the plan {steps} is possible now and cheaper ({cost} against {other})" "计划{steps}现在可行且代价更低（{cost}，原为{other}）";
    PursuesWithPlan(name, goal, steps, cost) "{name} pursues {goal} by {steps}, for {cost}" "{name}追求{goal}，计划为{steps}，代价{cost}";
    // Rules.
    RuleFired(rule) "{rule} fired" "规则{rule}触发";
    RuleNotMet(rule) "{rule} did not fire: its condition does not hold" "规则{rule}未触发：条件不成立";
    RuleHasFault(rule) "{rule} did not fire: its condition has a fault" "规则{rule}未触发：条件出错";
    RuleHeld(rule) "{rule} did not fire: its condition has held since it was last looked at" "规则{rule}未触发：条件自上次查看以来一直成立";
    RuleHeldSince(rule, tick) "{rule} did not fire: its condition has held since tick {tick}" "规则{rule}未触发：条件自第{tick}帧起一直成立";
    RuleFiredAndHeld(rule, tick) "{rule} did not fire: it fired in tick {tick}, and its condition has held ever since" "规则{rule}未触发：已在第{tick}帧触发，此后条件一直成立";
    RuleFiredAndCools(rule, tick, secs) "{rule} did not fire: it fired in tick {tick}, and cools for {secs} s more" "规则{rule}未触发：已在第{tick}帧触发，冷却还剩{secs}秒";
    FiredLast(tick) "; it fired last in tick {tick}" "；上次触发是在第{tick}帧";
    RuleCools(rule, secs) "{rule} did not fire: it cools for {secs} s more" "规则{rule}未触发：冷却还剩{secs}秒";
    RuleNotReached(rule) "{rule} was not looked at" "未查看规则{rule}";
    RuleNotLookedAt(rule) "{rule} was not looked at: an earlier rule fired" "未查看规则{rule}：更早的规则已触发";

    // Candidates.
    FoundBest(name, item, score) "{name} chose {item}, {score}" "{name}选择了{item}（{score}）";
    FoundSome(name, kept, of) "{name} found {kept} of {of} candidates" "{name}在{of}个候选中找到{kept}个";
    FoundTheOnly(name) "{name} found its only candidate" "{name}找到了唯一的候选";
    TheOnlyWasOut(name) "the only candidate of {name} was out" "{name}的唯一候选出局";
    OfThoseSeen() ", of those that were seen" "（仅计已看到的）";
    SoFar() ", so far" "（到目前为止）";
    OneOutFor(of, keep) "1 of {of} was out for {keep}" "{of}个中有1个因{keep}出局";
    OneOutForBadScore(of) "1 of {of} was out: its score has a fault, or is not above 0" "{of}个中有1个出局：评分出错，或不大于0";
    OutForBadScore(count, of) "{count} of {of} were out: their score has a fault, or is not above 0" "{of}个中有{count}个出局：评分出错，或不大于0";
    OneOutForScore(of) "1 of {of} was out: its score is not above 0" "{of}个中有1个出局：评分不大于0";
    HadNoCandidates(name) "{name} had no candidates" "{name}没有候选";
    AllWereOut(name, of) "all {of} candidates of {name} were out" "{name}的{of}个候选全部出局";
    OutFor(count, of, keep) "{count} of {of} were out for {keep}" "{of}个中有{count}个因{keep}出局";
    OutForScore(count, of) "{count} of {of} were out: their score is not above 0" "{of}个中有{count}个出局：评分不大于0";

    // Transitions.
    IsTaken() "taken" "已触发";
    ConditionNotMet() "its condition does not hold" "条件不成立";
    ConditionOrNoState() "its condition does not hold, or its decision tree led to no state" "条件不成立，或决策树没有通向任何状态";
    NoState() "its decision tree led to no state" "决策树没有通向任何状态";
    NothingToGoBackTo() "there is no state to go back to" "没有可以返回的状态";
    StackFull() "the stack is full" "栈已满";
    EventButTaken(other) "the event came, and {other} was taken in this region" "事件已到来，但此区域触发了{other}";
    OtherTaken(other) "{other} was taken in this region" "此区域触发了{other}";
    OtherComesFirst() "another transition comes before it" "另一个转换排在它前面";
    IsActive() "its state is active already" "它的状态已激活";
    StateClosed(state) "{state} cannot be entered now" "现在不能进入{state}";
    SomeStateClosed() "a state that it leads to cannot be entered now" "现在不能进入它通向的某个状态";
    Conflicts() "a conflicting transition is taken" "触发了与它冲突的转换";
    NotChecked() "it was not checked" "未检查";
    ItsScoreIsLower(score, best, other) "its score {score} is lower than {best} of {other}" "评分{score}低于{other}的{best}";
    ItsScoreIsEqual(score, other) "its score {score} is not higher than that of {other}" "评分{score}不高于{other}的评分";
    ItsScoreIsNotEnough(score, best, other) "its score {score} is not enough above {best} of {other}" "评分{score}高出{other}的{best}不够多";
    ItsScoreHasFault(other) "its score has a fault; {other} was chosen" "评分出错；选了{other}";
    ItsScoreIsNothing() "its score is not above 0" "评分不大于0";
    OtherChosenByScore(other) "{other} was chosen by its score" "按评分选了{other}";
    NoSuchEvent() "no such event came" "没有收到此事件";
    ToGo(secs) "{secs} s to go" "还剩{secs}秒";
    TimeUnknown() "its time could not be read" "无法读取它的时间";
    TimeBegun() "its time has only begun" "刚开始计时";
    NotDone() "not done yet" "尚未完成";
    NotDoneWithSuccess() "not done with success" "没有成功完成";
    NotDoneWithFailure() "not done with failure" "没有失败";

    // What made something begin.
    BeganToHold(name, when) "{name} began to hold{when}" "{name}{when}开始成立";
    CeasedToHold(name, when) "{name} ceased to hold{when}" "{name}{when}不再成立";
    Held(name, when) "{name} held{when}" "{name}{when}成立";
    DidNotHold(name, when) "{name} did not hold{when}" "{name}{when}不成立";
    Fell(key, from, to) "{key} fell from {from} to {to}" "{key}从{from}降到{to}";
    Rose(key, from, to) "{key} rose from {from} to {to}" "{key}从{from}升到{to}";
    Changed(key, from, to) "{key} changed from {from} to {to}" "{key}从{from}变为{to}";
    WasOver(name, when) "{name} was over{when}" "{name}{when}结束";
    StateWasDone(state, when) "the state {state} was done{when}" "状态{state}{when}完成";
    WasDone(name, when) "{name} was done{when}" "{name}{when}完成";
    Took(name, transition, when) "{name} took {transition}{when}" "{name}{when}触发了{transition}";
    DrewWay(test, way, when) "{test} drew {way}{when}" "{test}{when}抽到{way}";
    CameToScore(name, score, other, less, when) "{name} came to score {score}, more than {other} with {less}{when}" "{name}{when}评分升到{score}，高于{other}的{less}";
    GavePlace(semaphore, when) "the semaphore {semaphore} gave it a place{when}" "信号量{semaphore}{when}给了它名额";
    AskedChildAgain(name, when) "{name} asked its child again{when}" "{name}{when}重新执行子节点";
    BeganAnew(did, when) "{did}, and began anew{when}" "{did}，{when}重新开始";
    GameHadAborted(when) "the game had aborted what it did before{when}" "游戏{when}中止了它之前做的事";
    TestHadAborted(when) "the test had aborted what it did before{when}" "测试{when}中止了它之前做的事";
    HadRested(when) "the agent was not ticked before{when}" "智能体{when}之前没有更新";
    ChangedSince() "the document has changed since this tick: reasons are known from the next one on" "文档在此帧之后已更改：从下一帧起才知道原因";
    HadChanged(when) "the document had changed{when}" "文档{when}已更改";
    HadFault(name, when) "{name} had a fault{when}" "{name}{when}出错";
    HadThisFault(name, fault, when) "{name} had a fault{when}: {fault}" "{name}{when}出错：{fault}";
    FirstTick(when) "the agent began{when}" "智能体{when}刚开始运行";

    // What happens, as it does.
    Starts(name) "{name} starts" "{name}开始";
    IsCutOff(name) "{name} is cut off" "{name}被打断";
    EndsWithSuccess(name) "{name} ends with success" "{name}成功结束";
    EndsWithFailure(name) "{name} ends with failure" "{name}失败结束";
    Enters(machine, state) "{machine} enters {state}" "{machine}进入{state}";
    Leaves(machine, state) "{machine} leaves {state}" "{machine}离开{state}";
    Takes(machine, transition) "{machine} takes {transition}" "{machine}触发{transition}";
    Answers(name, answer) "{name} answers {answer}" "{name}的结果是{answer}";
    GuardAnswers(name, answer) "the guard of {name} answers {answer}" "{name}的守卫条件结果是{answer}";
    IsReached(name) "{name} is reached" "执行到{name}";
    KeepsRunning(name) "{name} keeps running" "{name}继续运行";
    Scores(name, score) "{name} scores {score}" "{name}评分为{score}";
    Fires(name, rule) "{name} fires the rule {rule}" "{name}触发规则{rule}";
    Writes(name, key) "{name} writes {key}" "{name}写入{key}";
    RemovesValue(name, key) "{name} removes the value of {key}" "{name}清除{key}的值";
    Sends(name, event) "{name} sends {event}" "{name}发出{event}";
    IsOffered(name, event) "{name} is offered {event}" "{name}收到{event}";
    ATestHolds(name) "{name}: a test holds" "{name}：判断成立";
    ATestHoldsNot(name) "{name}: a test does not hold" "{name}：判断不成立";
    ATestTakesWay(name, way) "{name}: a test takes its way {way}" "{name}：判断走第{way}条路";
    HasAFault(name) "{name} has a fault" "{name}出错";
    KeyChanges(key) "{key} changes" "{key}变化";
    IsSentOrComes(event) "{event} is sent or comes" "{event}发出或到来";
    IsLeft(state) "{state} is left" "离开{state}";
    IsEntered(state) "{state} is entered" "进入{state}";
    GetsTaken(transition) "{transition} is taken" "触发{transition}";
    Begins(name) "{name} begins" "{name}开始";
    Ends(name) "{name} ends" "{name}结束";
    Succeeds(name) "{name} succeeds" "{name}成功";
    Fails(name) "{name} fails" "{name}失败";

    // The whole.
    Answered(tick, secs, who, behaviour, answer) "tick {tick} ({secs} s), {who}: {behaviour} answered {answer}" "第{tick}帧（{secs}秒），{who}：{behaviour}的结果是{answer}";
    NotTicked(tick, secs, who, behaviour) "tick {tick} ({secs} s), {who}: {behaviour} was not ticked" "第{tick}帧（{secs}秒），{who}：{behaviour}没有更新";
    WhatItDoes() "What it does" "正在做什么";
    WhatMadeItBegin() "What made it begin" "开始的原因";
    WhatWentWrong() "What went wrong" "出了什么问题";
    WhatChanged() "What changed" "发生了什么变化";
    WhyNothingElse() "Why nothing else" "为何不做别的";
    Success() "success" "成功";
    Failure() "failure" "失败";
    Running() "running" "运行中";
    Skipped() "skipped" "已跳过";
}
