/**
 * Input fields as they are published. A limit that the engine refuses with its own, better code is published here
 * and left to the engine.
 */
import { z } from 'zod';

/** Most bytes of a patch; the engine answers PATCH_TOO_LARGE. */
const PATCH_BYTES = 8 * 1024 * 1024;
/** Most bytes of a command; the engine answers COMMAND_UNPARSABLE. */
const COMMAND_BYTES = 4096;
const PATH_CHARACTERS = 4096;

// Refused here because the system's own refusal of such a path says nothing useful; publishes no pattern.
const path = z
  .string()
  .min(1)
  .max(PATH_CHARACTERS)
  .refine((text) => !text.includes('\0'), 'holds a NUL character');

/** The patch. */
export const diffStr = z
  .string()
  .meta({ minLength: 1, maxLength: PATCH_BYTES })
  .describe(
    'Unified diff of this one file, at most 8 MiB: hunks "@@ -10,3 +10,4 @@" with 1-based lines, context and removed ' +
      'lines exactly as in the file. "---"/"+++" headers are optional; if there, they must name file_path.',
  );

/** The file to edit. */
export const filePath = path.describe(
  'Existing regular file inside repo_root, best absolute, e.g. "/srv/app/src/main.py"; a relative path starts at the ' +
    "server's first --root (else its working directory), not at repo_root.",
);

/** The boundary of the call. */
export const repoRoot = path
  .optional()
  .describe(
    'Folder that bounds the call and where the tests run, absolute, e.g. "/srv/app". Left out: the first --root of the ' +
      'server, else its working directory. Must lie inside a --root when the server has one.',
  );

/** The command that judges the change. */
export const testCommand = z
  .string()
  .min(1)
  .meta({ maxLength: COMMAND_BYTES })
  .optional()
  .describe(
    'One plain command, e.g. "pytest -q tests/test_cart.py" or "npm test", at most 4096 bytes; no pipes, &&, variables ' +
      'or globs. A non-zero exit code rolls the file back. Left out: nothing is run.',
  );

/** The caller's own allowlist. */
export const allowedTestCommands = z
  .array(z.string().min(1).max(COMMAND_BYTES).describe('Command prefix of whole words, e.g. "npm run test:unit".'))
  .max(100)
  .optional()
  .describe(
    'Prefixes that test_command may start with in this call, instead of the built-in list, e.g. ["make check"]; at ' +
      'most 100. [] or left out: the built-in list. Without test_command it has no effect.',
  );

/** The digest the file must have. */
export const expectedSha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits')
  .optional()
  .describe('SHA-256 of the bytes you read, 64 hex digits; refuses the call when the file is no longer that.');

/** Whether to write at all. */
export const dryRun = z
  .boolean()
  .optional()
  .describe('true: check everything, return the change as a diff, write nothing, run nothing (test_command too).');
