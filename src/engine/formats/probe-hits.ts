/** Reads what the probes recorded: lines of `number TAB phase TAB test id`, from however many processes. */
import type { ProbeHit } from '../../model/suite.ts';

/** Gathers the hits of one run by probe; a line that a dying process cut off is none. */
export function readProbeHits(files: Iterable<Uint8Array>): ReadonlyMap<number, readonly ProbeHit[]> {
  const hits = new Map<number, ProbeHit[]>();
  const seen = new Set<string>();
  for (const bytes of files) {
    const lines = Buffer.from(bytes).toString('utf8').split('\n');
    // What follows the last line end was not written whole.
    lines.pop();
    for (const line of lines) {
      if (seen.has(line)) continue;
      seen.add(line);
      const hit = readHit(line);
      if (hit === null) continue;
      const own = hits.get(hit.probe);
      if (own === undefined) hits.set(hit.probe, [hit]);
      else own.push(hit);
    }
  }
  return hits;
}

function readHit(line: string): ProbeHit | null {
  const [number = '', phase, ...id] = line.split('\t');
  if (!/^\d{1,7}$/u.test(number) || (phase !== 'load' && phase !== 'test')) return null;
  return { probe: Number(number), phase, testId: id.join('\t') };
}
