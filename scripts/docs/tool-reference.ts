/** The tools as a client sees them, written out for the README. */
import { table } from './blocks.ts';

type ListedSchema = Readonly<Record<string, unknown>>;

/** What is used of an entry of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: ListedSchema;
  readonly outputSchema?: ListedSchema | undefined;
  readonly annotations?: object | undefined;
}

/** One section per tool: what it is for, what goes in, what comes out, how it is annotated. */
export function toolReference(tools: readonly ListedTool[]): string {
  return tools.map(section).join('\n\n');
}

function section({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const hints = Object.entries(annotations ?? {}).filter(([key]) => key !== 'title');
  return [
    `### \`${name}\`: ${title ?? name}`,
    description ?? '',
    table([['input', 'required', 'meaning'], ...rows(inputSchema)]),
    table([['output', 'always there', 'meaning'], ...rows(outputSchema ?? {})]),
    `Annotations: ${hints.map(([key, value]) => `\`${key}: ${String(value)}\``).join(', ')}.`,
  ].join('\n\n');
}

function rows(schema: ListedSchema): string[][] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties'] ?? {}).map(([name, property]: [string, unknown]) => [
    `\`${name}\``,
    required.includes(name) ? 'yes' : 'no',
    descriptionOf(property),
  ]);
}

function descriptionOf(property: unknown): string {
  if (typeof property !== 'object' || property === null || !('description' in property)) return '';
  return String(property.description);
}
