// The machine of examples/04-cleaning-robot, for tests.

export const robot = `
initial on-duty
state name=on-duty
  initial clean
  transition to=hide when=fight_near
  state name=clean
    initial search
    transition to=charge when="battery < 0.15"
    state name=search
      do
        action look-for-rubbish
      transition to=pick-up when=has(rubbish)
      transition to=charge after=20.0
    state name=pick-up
      do
        action pick-up target={rubbish}
      transition to=dump done=success
      transition to=search done=failure
      transition to=search when=!has(rubbish)
    state name=dump
      do
        action dump
      transition to=search done=any
  state name=charge
    do
      sequence
        action go-to-charger
        action recharge
    transition to=clean history=deep done=success
state name=hide
  do
    action hide
  transition to=on-duty history=deep when=!fight_near
`;
