/**
 * Makes a tool out of its definition: publishes the strict schemas, parses and answers in the tool's own shape, and is
 * the one place that catches what nobody expected. Such a breakdown is `INTERNAL`: its stack goes to the log, and
 * nothing of it, no path either, to the caller.
 */
import type { CallToolResult, McpServer, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import { fail, type Result } from '../model/result.ts';
import { parseArguments } from './arguments.ts';
import type { Calls } from './calls.ts';
import { clientOf, knowsResourceLinks } from './client.ts';
import { reportProgress } from './progress.ts';
import { respond, type Presentation } from './respond.ts';

export interface ToolDefinition<Input, Report extends object> extends Presentation<Report> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly handle: (input: Input, context: CallContext) => Promise<Result<Report>>;
}

/** What a tool needs from the server it is registered with. */
interface ToolSupport {
  readonly calls: Calls;
  readonly log: (line: string) => void;
}

export interface Tool {
  readonly name: string;
  readonly register: (server: McpServer, support: ToolSupport) => void;
}

/** Closes over the definition's types, so that a list of tools needs none. */
export function defineTool<Input, Report extends object>(definition: ToolDefinition<Input, Report>): Tool {
  const { name, title, description, annotations } = definition;
  return {
    name,
    register(server, support) {
      const config = {
        title,
        description,
        inputSchema: published(definition.input),
        outputSchema: published(definition.output),
        annotations: { title, ...annotations },
      };
      server.registerTool(name, config, (given: unknown, request: ServerContext) =>
        support.calls.run(async () => {
          const answer = await answerCall(definition, given, request, server, support);
          return knowsResourceLinks(server, request) ? answer : withoutLinks(answer);
        }),
      );
    },
  };
}

// The SDK's own check would answer without structuredContent and would not take null for absent: it is shown the
// strict schema to publish and passes every value through to ours.
function published(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  const standard = schema['~standard'];
  return { '~standard': { ...standard, types: undefined, validate: (value) => ({ value }) } };
}

async function answerCall<Input, Report extends object>(
  definition: ToolDefinition<Input, Report>,
  given: unknown,
  request: ServerContext,
  server: McpServer,
  { calls, log }: ToolSupport,
): Promise<CallToolResult> {
  const { _meta: meta, notify, signal: cancelled } = request.mcpReq;
  const signal = AbortSignal.any([cancelled, calls.signal]);
  const progress = reportProgress(meta?.progressToken, notify);
  signal.addEventListener('abort', progress.end, { once: true });
  try {
    const input = parseArguments(definition.input, given);
    if (!input.ok) return respond(definition, input);
    if (signal.aborted) return respond(definition, fail(failure('CANCELLED', 'Cancelled before anything was done.')));
    progress.stage('Checking the request');
    const context = { signal, progress: progress.stage, client: clientOf(server, request) };
    return respond(definition, await definition.handle(input.value, context));
  } catch (error) {
    log(`${definition.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    const message = 'Surepatch broke down in a way it does not know; the details are in its log on stderr.';
    return respond(definition, fail(failure('INTERNAL', message)));
  } finally {
    progress.end();
  }
}

function withoutLinks(answer: CallToolResult): CallToolResult {
  return { ...answer, content: answer.content.filter(({ type }) => type !== 'resource_link') };
}
