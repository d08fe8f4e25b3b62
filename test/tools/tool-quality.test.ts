/** A deterministic lint of every published tool definition: what a model reads before it can choose and call a tool. */
import { expect, test } from 'vitest';
import { joinServer } from '../support/in-memory-server.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}

const { client } = await joinServer({});
const { tools } = await client.listTools();
const named = tools.map((tool) => [tool.name, tool] as const);
const VERBS = /^(?:Apply|Verify|Record|Describe|Commit|Undo) /;

/** The input and the output schema as they went over the wire. */
function schemasOf(tool: (typeof tools)[number]): [Schema, Schema] {
  return [tool.inputSchema as Schema, tool.outputSchema ?? {}];
}

/** Every property below a schema with its path. */
function propertiesOf(schema: Schema, at = ''): [string, Schema][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Schema][] => [
    [`${at}${name}`, property],
    ...propertiesOf(property, `${at}${name}.`),
  ]);
  const nested = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  return [...own, ...nested.flatMap((part) => propertiesOf(part, at))];
}

function objectsOf(schema: Schema): Schema[] {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...(schema.type === 'object' ? [schema] : []), ...parts.flatMap(objectsOf)];
}

test('the tools are these, in this order', () => {
  expect(tools.map(({ name }) => name)).toEqual([
    'write_fix',
    'verify_change',
    'git_commit',
    'record_changed_paths',
    'repo_overview',
    'undo_fix',
  ]);
});

test.each(named)('%s: the name is snake_case, the titles are the same and begin with a verb', (name, tool) => {
  expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
  expect(tool.title).toMatch(VERBS);
  expect(tool.annotations?.title).toBe(tool.title);
});

test.each(named)(
  '%s: the first sentence is a verb, an object and the guarantee, within 160 characters',
  (_name, tool) => {
    const [first = ''] = (tool.description ?? '').split(/(?<=\.) /);
    expect(first).toMatch(VERBS);
    expect(first.length).toBeLessThanOrEqual(160);
  },
);

test.each(named)(
  '%s: the description has 90 to 140 words and at most 1,200 characters',
  (_name, { description = '' }) => {
    expect(description.split(/\s+/).length).toBeGreaterThanOrEqual(90);
    expect(description.split(/\s+/).length).toBeLessThanOrEqual(140);
    expect(description.length).toBeLessThanOrEqual(1200);
  },
);

test.each(named)(
  '%s: says when to use it and when not within the first 300 characters',
  (_name, { description = '' }) => {
    expect(description).toMatch(/\bUse when\b/);
    expect(description).toMatch(/\bNot for\b/);
    expect(description.indexOf('Use when')).toBeLessThan(300);
    expect(description.indexOf('Not for')).toBeLessThan(300);
  },
);

test.each(named)(
  '%s: the description repeats no returned field, no marketing, no shouting, no missing sibling',
  (_name, tool) => {
    const description = tool.description ?? '';
    const inputs = new Set(Object.keys(tool.inputSchema.properties ?? {}));
    const outputs = propertiesOf(schemasOf(tool)[1]).map(([path]) => path.split('.').at(-1) ?? '');
    const repeated = outputs.filter(
      (field) => field.includes('_') && !inputs.has(field) && description.includes(field),
    );
    expect(repeated).toEqual([]);
    expect(description).not.toMatch(/\breturns?\b|\{|\b(?:powerful|seamless|robust|blazing|simply|easily)\b/i);
    expect(description).not.toMatch(/\b[A-Z]{4,}\b|!/);
    const words = [...description.matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([word]) => word);
    const known = new Set([...inputs, ...tools.map(({ name }) => name)]);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  },
);

test.each(named)('%s: all four annotations are set', (_name, { annotations = {} }) => {
  const { title, ...hints } = annotations;
  expect(title).toBeTypeOf('string');
  expect(Object.keys(hints).sort()).toEqual(['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']);
});

test.each(named)('%s: every property, nested ones too, is described', (_name, tool) => {
  const [inputSchema, outputSchema] = schemasOf(tool);
  const bare = [...propertiesOf(inputSchema), ...propertiesOf(outputSchema)].filter(
    ([, schema]) => (schema.description ?? '').length < 10,
  );
  expect(bare).toEqual([]);
});

test.each(named)('%s: every object is closed', (_name, tool) => {
  const [inputSchema, outputSchema] = schemasOf(tool);
  const open = [...objectsOf(inputSchema), ...objectsOf(outputSchema)].filter(
    (schema) => schema.additionalProperties !== false,
  );
  expect(open).toEqual([]);
});

test.each(named)('%s: every input string and list has a real limit, and none is nullable', (_name, tool) => {
  const [inputSchema] = schemasOf(tool);
  const all = propertiesOf(inputSchema).flatMap(([path, schema]): [string, Schema][] =>
    schema.items === undefined
      ? [[path, schema]]
      : [
          [path, schema],
          [`${path}[]`, schema.items],
        ],
  );
  const unlimited = all.filter(
    ([path, { type, maxLength, pattern, enum: words, maxItems, anyOf }]) =>
      (type === 'string' && maxLength === undefined && pattern === undefined && words === undefined) ||
      (type === 'array' && maxItems === undefined) ||
      Array.isArray(type) ||
      // Inside an entry of a list null is not "left out" but says that nothing should be there.
      (anyOf !== undefined && path !== 'expected.sha256'),
  );
  expect(unlimited.map(([path]) => path)).toEqual([]);
});

test.each(named)('%s: the definition is small enough to be read with every conversation', (_name, tool) => {
  expect(JSON.stringify({ ...tool, outputSchema: undefined }).length).toBeLessThan(5000);
});

// Clients check answers against it and show it to no model, so that a whole report may be published inside another.
test.each(named)('%s: the output schema is of bounded size', (name, tool) => {
  // One schema for the two forms of verify_change.
  const bound = name === 'verify_change' ? 25_000 : 20_000;
  expect(JSON.stringify(tool.outputSchema).length).toBeLessThan(bound);
});

test('the published inputs of verify_change are those of the contract and ours', () => {
  const input = tools.find(({ name }) => name === 'verify_change')?.inputSchema;
  expect(Object.keys(input?.properties ?? {})).toEqual([
    ...['repoRoot', 'edits', 'unifiedDiff', 'testCmd', 'fresh'],
    ...['paths', 'min_revision', 'epoch', 'wait_ms', 'baseline', 'max_items'],
  ]);
  expect(input?.required).toBeUndefined();
});

test('the published inputs of write_fix are those of the contract and ours', () => {
  const input = tools.find(({ name }) => name === 'write_fix')?.inputSchema;
  expect(Object.keys(input?.properties ?? {})).toEqual([
    'diff_str',
    'file_path',
    'repo_root',
    'test_command',
    'allowed_test_commands',
    'expected_sha256',
    'dry_run',
    'verify_first',
    'verification_id',
  ]);
  expect(input?.required).toEqual(['diff_str', 'file_path']);
});

test('the instructions lead with when to use it and fit into 2,000 characters', () => {
  const instructions = client.getInstructions() ?? '';
  expect(instructions).toMatch(/^Use write_fix to /);
  expect(instructions.length).toBeLessThanOrEqual(2000);
});

test('the server names itself with its version', () => {
  expect(client.getServerVersion()).toEqual({ name: 'surepatch', title: 'Surepatch', version: '1.2.3' });
});
