/** What a request shows of the client behind it, in either protocol era. Everything here is the client's own claim. */
import {
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../model/call-context.ts';

/** Names the client: from the request's envelope, else from the handshake of its connection. */
export function clientOf(server: McpServer, request: ServerContext): CallContext['client'] {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- connections of the 2025 era have nothing else
  const claimed: unknown = claimOf(request, CLIENT_INFO_META_KEY) ?? server.server.getClientVersion();
  if (typeof claimed !== 'object' || claimed === null || !('name' in claimed) || !('version' in claimed))
    return undefined;
  const { name, version } = claimed;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
}

/** Tells whether results may hold resource links: older clients refuse a whole answer that has one. */
export function knowsResourceLinks(server: McpServer, request: ServerContext): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- connections of the 2025 era have nothing else
  const revision = claimOf(request, PROTOCOL_VERSION_META_KEY) ?? server.server.getNegotiatedProtocolVersion();
  return typeof revision === 'string' && revision >= '2025-06-18';
}

function claimOf(request: ServerContext, key: string): unknown {
  const envelope: Readonly<Record<string, unknown>> = request.mcpReq.envelope ?? {};
  return envelope[key];
}
