/** Reads what an examiner printed. It ran in a tree that is not trusted, so its shape is checked before anything is read. */
import { z } from 'zod';
import type { Examination } from '../model/examination.ts';

const place = { start: z.int().min(0), end: z.int().min(0), line: z.int().min(0), endLine: z.int().min(0) };
const span = z.object(place).readonly();
const finding = z.object({ file: z.string(), line: z.int().min(0), message: z.string(), key: z.string() }).readonly();
const findings = z.array(finding).readonly();
const insertions = z
  .array(z.object({ at: z.int().min(0), text: z.string().regex(/^[^\r\n]*$/u) }).readonly())
  .readonly()
  .nullable();
const timing = z.enum(['definition', 'body']);

const analysis = z
  .object({
    syntax: findings,
    tokens: z.array(z.object({ ...place, key: z.string() }).readonly()).readonly(),
    statements: z
      .array(
        z
          .object({
            ...place,
            timing,
            kind: z.string(),
            headerEnd: z.int().min(0),
            isExcluded: z.boolean(),
            isInert: z.boolean(),
            probe: insertions,
          })
          .readonly(),
      )
      .readonly(),
    arms: z
      .array(
        z
          .object({
            ...place,
            timing,
            kind: z.string(),
            statement: z.int().min(-1),
            introducedBy: z.array(span).readonly(),
            isExcluded: z.boolean(),
            probe: insertions,
          })
          .readonly(),
      )
      .readonly(),
    loadProbe: insertions,
  })
  .readonly();

const examination = z
  .object({
    files: z.array(z.object({ path: z.string(), before: analysis.nullable(), after: analysis }).readonly()).readonly(),
    imports: z.object({ before: findings, after: findings }).readonly(),
    undecided: z.array(z.string()).readonly(),
  })
  .readonly() satisfies z.ZodType<Examination>;

/** Null where the text is not a whole examination. */
export function readExamination(text: string): Examination | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = examination.safeParse(value);
  return parsed.success ? parsed.data : null;
}
