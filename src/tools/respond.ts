/** Lays a report out as the result of a tool call: structured, mirrored as text, and never in a shape not published. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Failure } from '../model/failure.ts';
import type { Result } from '../model/result.ts';

/** A longer text that can be read as a resource. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** How one tool's report is shown. */
export interface Presentation<Report extends object> {
  readonly output: z.ZodType<Report>;
  readonly reportOfFailure: (failure: Failure) => Report;
  readonly textOf: (report: Report) => string;
  readonly linksOf: (report: Report) => readonly ResourceLink[];
}

/**
 * Makes the answer to a call; only a failure is an error.
 *
 * @throws when the report does not have the published shape, which is a defect of ours
 */
export function respond<Report extends object>(show: Presentation<Report>, outcome: Result<Report>): CallToolResult {
  const report = outcome.ok ? outcome.value : show.reportOfFailure(outcome.failure);
  const checked: Report = show.output.parse(report);
  const links = show.linksOf(checked).map((link) => ({ type: 'resource_link' as const, ...link }));
  return {
    content: [{ type: 'text', text: show.textOf(checked) }, ...links],
    structuredContent: Object.fromEntries(Object.entries(checked)),
    isError: !outcome.ok,
  };
}
