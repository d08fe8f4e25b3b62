/** The floor: a server of the same SDK, over the same wire, with one tool that says what it was told. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** Serves until its input ends. */
export function runSmallServer(): void {
  serveStdio(() => {
    const server = new McpServer({ name: 'small', version: '1.0.0' });
    server.registerTool(
      'echo',
      {
        description: 'Says it again.',
        inputSchema: z.strictObject({ text: z.string() }),
        outputSchema: z.strictObject({ text: z.string() }),
      },
      ({ text }) => ({ content: [{ type: 'text', text }], structuredContent: { text } }),
    );
    return server;
  });
}
