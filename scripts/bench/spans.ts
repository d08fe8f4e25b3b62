/** Self times of nested steps of one call at a time: what a step took without the steps inside it. */

export interface Spans {
  /** Runs a step under a name; an asynchronous one ends with its promise. */
  during<Value>(name: string, step: () => Value): Value;
  /** Ends one call and returns its self times in milliseconds and how often each step was taken. */
  take(): ReadonlyMap<string, { readonly ms: number; readonly times: number }>;
}

/** Makes an empty record. Steps must nest; two calls at once would mix. */
export function recordSpans(): Spans {
  let record = new Map<string, { ms: number; times: number }>();
  const open: { name: string; started: number; inner: number }[] = [];
  const end = (): void => {
    const span = open.pop();
    if (span === undefined) return;
    const ms = performance.now() - span.started;
    const parent = open.at(-1);
    if (parent !== undefined) parent.inner += ms;
    const entry = record.get(span.name) ?? { ms: 0, times: 0 };
    record.set(span.name, { ms: entry.ms + ms - span.inner, times: entry.times + 1 });
  };
  return {
    during(name, step) {
      open.push({ name, started: performance.now(), inner: 0 });
      let isPending = false;
      try {
        const value = step();
        if (value instanceof Promise) {
          isPending = true;
          // The step's own outcome is the caller's; this only marks its end.
          value.then(end, end);
        }
        return value;
      } finally {
        if (!isPending) end();
      }
    },
    take() {
      const taken = record;
      record = new Map();
      return taken;
    },
  };
}
