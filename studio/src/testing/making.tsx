// A test that is made of what happened.

export function Making() {
  return null;
}
