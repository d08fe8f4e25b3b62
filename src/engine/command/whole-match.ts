/** Expressions of an allowlist speak of whole values; this is where they are made. */

/** Makes an expression that must match a whole value; throws a `SyntaxError` on a malformed one. */
export function wholeMatch(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'u');
}
