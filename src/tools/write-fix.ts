/** The write_fix tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import type { Result } from '../model/result.ts';
import { reportOfFailure, type WriteFixReport, type WriteFixRequest } from '../model/write-report.ts';
import { defineTool, type Tool } from './define-tool.ts';
import {
  allowedTestCommands,
  diffStr,
  dryRun,
  expectedSha256,
  filePath,
  repoRoot,
  testCommand,
  verificationId,
  verifyFirst,
} from './fields.ts';
import type { ResourceLink } from './respond.ts';
import { writeFixOutput } from './write-fix-output.ts';
import { writeFixText } from './write-fix-text.ts';

/** The use-case, bound to its host. */
export type WriteFix = (request: WriteFixRequest, context: CallContext) => Promise<Result<WriteFixReport>>;

const description = [
  'Apply one unified diff to one existing file, run an allowlisted test command, and restore the file byte for byte if',
  'the tests fail. Use when you have read the file and hold an exact patch for it.',
  'Not for creating, deleting or renaming files, nor for a change whose tests need several files edited.',
  'file_path alone picks the target; headers in the diff may only name the same file. Without test_command the patch',
  'stays, untested. allowed_test_commands replaces the built-in list; shells and inline code stay refused.',
  'One hunk that does not fit refuses the whole patch and says where it would; a patch already applied is refused.',
  'verify_first proves the change in a shadow tree before the write. Tests run without a shell, with your rights, at',
  'most 120 s; a timeout or cancel also restores. Nothing is committed.',
].join(' ');

/** Makes the tool for a bound use-case. */
export function writeFixTool(writeFix: WriteFix): Tool {
  return defineTool({
    name: 'write_fix',
    title: 'Apply a patch to one file, test it, undo on failure',
    description,
    input: z.strictObject({
      diff_str: diffStr,
      file_path: filePath,
      repo_root: repoRoot,
      test_command: testCommand,
      allowed_test_commands: allowedTestCommands,
      expected_sha256: expectedSha256,
      dry_run: dryRun,
      verify_first: verifyFirst,
      verification_id: verificationId,
    }),
    output: writeFixOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    reportOfFailure,
    textOf: writeFixText,
    linksOf,
    handle: (input, context) =>
      writeFix(
        {
          diff: input.diff_str,
          filePath: input.file_path,
          repoRoot: input.repo_root,
          testCommand: input.test_command,
          allowedTestCommands: input.allowed_test_commands,
          expectedSha256: input.expected_sha256?.toLowerCase(),
          dryRun: input.dry_run,
          verifyFirst: input.verify_first,
          verificationId: input.verification_id,
        },
        context,
      ),
  });
}

function linksOf({ tests }: WriteFixReport): readonly ResourceLink[] {
  if (!tests?.output_truncated) return [];
  return [
    {
      uri: tests.output_uri,
      name: 'test-output',
      description: 'The whole output of the test run.',
      mimeType: 'text/plain',
      size: tests.output_bytes,
    },
  ];
}
