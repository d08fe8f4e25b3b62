/** Request → `Examination`: each changed file before and after, and what both trees say of the imports. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Examination, ExaminationRequest } from '../../model/examination.ts';
import { analyse } from './analyse.ts';
import { filesThatMention } from './importers.ts';
import { ModuleTable } from './imports.ts';
import { openResolver } from './resolve.ts';

const SCRIPT = /\.[mc]?[jt]sx?$/;

interface Texts {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

export function examine(request: ExaminationRequest): Examination {
  const texts = request.files.map(({ path, before, after }): Texts => {
    return { path, before: before === null ? null : decode(before), after: decode(after) };
  });
  const files = texts.map(({ path, before, after }) => ({
    path,
    before: before === null ? null : analyse(path, before),
    after: analyse(path, after),
  }));
  return { files, ...examineImports(request, texts) };
}

function examineImports(request: ExaminationRequest, texts: readonly Texts[]): Omit<Examination, 'files'> {
  const { root } = request;
  const scripts = texts.filter(({ path }) => SCRIPT.test(path));
  if (scripts.length === 0) return { imports: { before: [], after: [] }, undecided: [] };
  const resolver = openResolver(root, request.searchFolders);
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const changed = new Map(texts.map((file) => [join(root, file.path), file[side]]));
    const read = (path: string): string | null => {
      const text = changed.get(path);
      return text === undefined ? readFile(path) : text;
    };
    return new ModuleTable({ root, read, resolver });
  });
  if (before === undefined || after === undefined) throw new Error('there are two trees');
  const paths = new Set(scripts.map(({ path }) => join(root, path)));
  const undecided = new Set<string>();
  const gone = [...paths].flatMap((path) => namesToLookFor(path, before, after));
  if (gone.length > 0) {
    const importers = filesThatMention(root, gone);
    for (const path of importers.paths) paths.add(path);
    if (!importers.isComplete) undecided.add('The repository is too large to look through all of it for importers.');
  }
  const [old, now] = [before, after].map((table) => [...paths].map((path) => table.findingsIn(path)));
  const known = new Set(old?.flatMap((findings) => findings.undecided));
  for (const sentence of now?.flatMap((findings) => findings.undecided) ?? [])
    if (!known.has(sentence)) undecided.add(sentence);
  return {
    imports: {
      before: old?.flatMap(({ findings }) => findings) ?? [],
      after: now?.flatMap(({ findings }) => findings) ?? [],
    },
    undecided: [...undecided],
  };
}

/** Names that others may use and that are gone; a default export is asked for by the name of the file. */
function namesToLookFor(path: string, before: ModuleTable, after: ModuleTable): readonly string[] {
  const [old, now] = [before.exportsOf(path), after.exportsOf(path)];
  if (old === null || now === null) return [];
  const stem = basename(path).replace(/\.[^.]+$/, '');
  const asked = stem === 'index' ? basename(dirname(path)) : stem;
  return [...old].filter((name) => !now.has(name)).map((name) => (name === 'default' ? asked : name));
}

/** A file that is not there, or is no file, is null; any other trouble is one of the machine. */
function readFile(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : null;
}

/** Keeps a byte order mark, because places count it. */
function decode(base64: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
}
