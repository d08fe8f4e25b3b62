/** The one shape of an expected outcome: a value, or a failure that says what to do next. */
import type { Failure } from './failure.ts';

export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

/** Wraps a value that was obtained as expected. */
export function ok<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** Wraps a failure; the type of the value that is missing is left to the caller. */
export function fail(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}
