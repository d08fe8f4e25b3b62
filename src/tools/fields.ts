/**
 * Input fields as they are published. A limit that the engine refuses with its own, better code is published here
 * and left to the engine.
 */
import { z } from 'zod';

/** Most bytes of a patch; the engine answers PATCH_TOO_LARGE. */
const PATCH_BYTES = 8 * 1024 * 1024;
/** Most bytes of one proposed file; the use-case answers FILE_TOO_LARGE. */
const FILE_BYTES = 64 * 1024 * 1024;
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

/** The boundary of a verification, in the contract's spelling. */
export const repoRootToVerify = path
  .optional()
  .describe(
    'Absolute path of the repository, e.g. "/srv/app". Left out: the first --root of the server, else its working directory.',
  );

/** A proposal as whole contents. */
export const edits = z
  .array(
    z.strictObject({
      path: path.describe('File, relative to repoRoot, e.g. "src/cart.py"; a new file is created.'),
      newContent: z.string().meta({ maxLength: FILE_BYTES }).describe('The whole new text of the file.'),
    }),
  )
  .max(1000)
  .optional()
  .describe('The proposed files with their whole new contents; each path once. Not together with unifiedDiff.');

/** A proposal as a diff. */
export const unifiedDiff = z
  .string()
  .meta({ maxLength: PATCH_BYTES })
  .optional()
  .describe(
    'A git diff of one or more files against the files as they are on disk now, at most 8 MiB. Deletions, renames, copies, ' +
      'mode changes and binary content are refused.',
  );

/** The command of the suite. */
export const testCmd = z
  .string()
  .min(1)
  .meta({ maxLength: COMMAND_BYTES })
  .optional()
  .describe(
    'One plain command that runs the whole suite, e.g. "python3 -m pytest -q" or "npm test"; may begin with assignments ' +
      'such as PYTHONPATH=src. A part of the suite cannot prove a change. Left out: what the project’s own files say.',
  );

/** Whether to pass over an earlier answer. */
export const fresh = z
  .boolean()
  .optional()
  .describe('true: verify anew even if this very content was verified before.');

/** Whether a write needs a verdict. */
export const verifyFirst = z
  .enum(['safe', 'not_unsafe'])
  .optional()
  .describe(
    'Verify in a shadow tree before writing, with test_command: "safe" writes on SAFE only, "not_unsafe" on UNPROVEN too. ' +
      'On any other verdict nothing on disk changes. The suite is not run again after the write.',
  );

/** A verification to write. */
export const verificationId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'expected a verification_id')
  .optional()
  .describe(
    'verification_id of a verify_change report: writes exactly what it verified, once, and runs nothing. Refused as STALE ' +
      'when the patch, the file, the repository, HEAD or the command is not what was verified.',
  );
