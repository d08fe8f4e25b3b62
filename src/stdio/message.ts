/**
 * Turns one frame of the wire into JSON-RPC messages, or into the error answers that tell the caller why not. It never
 * guesses: bytes that are not UTF-8 are refused, because a replaced character could end up in somebody's file.
 */
import { isUtf8, type Buffer } from 'node:buffer';
import { parseJSONRPCMessage, ProtocolErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Frame } from './frames.ts';

export interface ReadFrame {
  readonly messages: readonly JSONRPCMessage[];
  readonly refusals: readonly Refusal[];
}

type Id = string | number;

/** The error response to what is no message; the id is null where the frame shows none, as JSON-RPC 2.0 has it. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: Id | null;
  readonly error: { readonly code: ProtocolErrorCode; readonly message: string };
}

const MAX_BATCH_REFUSALS = 100;
const BOM = '\uFEFF';

/** Reads a frame; blank ones give nothing at all. */
export function readFrame(frame: Frame, maxBytes: number): ReadFrame {
  if (frame.kind === 'oversized') {
    const id = idAtEdge(frame.head, frame.tail);
    const size = `The message has ${frame.length} bytes, the limit is ${maxBytes}; it was skipped.`;
    return refused(ProtocolErrorCode.InvalidRequest, `${size} Send a smaller one.`, id);
  }
  if (!isUtf8(frame.bytes)) {
    const id = idAtEdge(frame.bytes.subarray(0, 1024), frame.bytes.subarray(-1024));
    return refused(ProtocolErrorCode.ParseError, 'The message is not valid UTF-8; it was skipped.', id);
  }
  const text = frame.bytes.toString('utf8');
  const line = text.startsWith(BOM) ? text.slice(1) : text;
  if (line.trim() === '') return { messages: [], refusals: [] };
  const parsed = parseJson(line);
  if (!parsed.ok) return refused(ProtocolErrorCode.ParseError, 'The line is not JSON; it was skipped.');
  return Array.isArray(parsed.value) ? refusedBatch(parsed.value) : readMessage(parsed.value);
}

function parseJson(line: string): { ok: true; value: unknown } | { ok: false } {
  try {
    const value: unknown = JSON.parse(line);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}

function readMessage(value: unknown): ReadFrame {
  try {
    return { messages: [parseJSONRPCMessage(value)], refusals: [] };
  } catch {
    return refused(ProtocolErrorCode.InvalidRequest, 'The line is not a JSON-RPC 2.0 message.', idOf(value));
  }
}

function refusedBatch(batch: readonly unknown[]): ReadFrame {
  const reason = 'Batches are not taken; send one message per line.';
  const ids = batch.map(idOf).filter((id) => id !== null);
  const answered = ids.length === 0 ? [null] : ids.slice(0, MAX_BATCH_REFUSALS);
  return { messages: [], refusals: answered.map((id) => refusal(ProtocolErrorCode.InvalidRequest, reason, id)) };
}

function refused(code: ProtocolErrorCode, message: string, id: Id | null = null): ReadFrame {
  return { messages: [], refusals: [refusal(code, message, id)] };
}

function refusal(code: ProtocolErrorCode, message: string, id: Id | null): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function idOf(value: unknown): Id | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  const { id } = value;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

// Where a frame cannot be parsed, the id is still certain in two places of valid JSON: as the first or second member of
// the outermost object, and as its very last one. Clients write it in one of them.
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,15}|"[ !#-[\]-~]{0,200}")\s*[,}]/;
const ID_LAST = /[,{]\s*"id"\s*:\s*(-?\d{1,15}|"[ !#-[\]-~]{0,200}")\s*\}\s*$/;

function idAtEdge(head: Buffer, tail: Buffer): Id | null {
  const found = ID_FIRST.exec(head.toString('latin1')) ?? ID_LAST.exec(tail.toString('latin1'));
  if (found?.[1] === undefined) return null;
  const id: unknown = JSON.parse(found[1]);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
