/** Input fields of git_commit as they are published. Limits that the use-case refuses with its own code are hints here. */
import { z } from 'zod';

const MOST_FILES = 128;
const MESSAGE_BYTES = 1024 * 1024;

const path = z.string().meta({ minLength: 1, maxLength: 4096 });

/** The message. */
export const commitMessage = z
  .string()
  .meta({ minLength: 1, maxLength: MESSAGE_BYTES })
  .describe('The whole message, recorded as it is but for blanks at ends of lines; e.g. "Count tides from zero".');

/** What to commit. */
export const filesToCommit = z
  .array(path.describe('File relative to repo_root, taken literally, e.g. "src/cart.py".'))
  .meta({ maxItems: MOST_FILES })
  .optional()
  .describe(
    'The files to commit as they are on disk, new and deleted ones too, at most 128; no folders, no patterns. Left out: ' +
      'what write_fix wrote in this root and is not committed yet.',
  );

/** What the files must be. */
export const expectedFiles = z
  .array(
    z.strictObject({
      path: path.describe('One of files.'),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits')
        .optional()
        .describe('SHA-256 of its bytes on disk, 64 hex digits. Left out: the file must be gone.'),
    }),
  )
  .max(MOST_FILES)
  .optional()
  .describe('Digests that the files must have on disk, or nothing is committed; e.g. sha256_after of write_fix.');

/** Whether HEAD may be on no branch. */
export const allowDetached = z.boolean().optional().describe('true: commit on a detached HEAD, too.');

/** Whether hooks may change what is committed. */
export const allowHookChanges = z
  .boolean()
  .optional()
  .describe('true: when a hook rewrites files, commit what it made of them and say so, instead of refusing.');
