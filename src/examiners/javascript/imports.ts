/** Checks what a file asks of other modules: that each is there, and that it gives the names that are wanted. */
import { relative, sep } from 'node:path';
import type { Finding } from '../../model/examination.ts';
import { moduleRecord, type ModuleRecord } from './module-record.ts';
import { placesOf } from './places.ts';
import type { Resolution, Resolver } from './resolve.ts';

/** One of the two trees. */
export interface Tree {
  readonly root: string;
  /** Text of a file by its absolute path; null where the tree has none. */
  readonly read: (path: string) => string | null;
  readonly resolver: Resolver;
}

export interface ImportFindings {
  readonly findings: readonly Finding[];
  readonly undecided: readonly string[];
}

const SCRIPT = /(?<!\.d)\.[mc]?[jt]sx?$/;

/** Records of the files of one tree, each read once. */
export class ModuleTable {
  readonly tree: Tree;
  readonly #records = new Map<string, ModuleRecord | null>();

  constructor(tree: Tree) {
    this.tree = tree;
  }

  record(path: string): ModuleRecord | null {
    const known = this.#records.get(path);
    if (known !== undefined) return known;
    const text = this.tree.read(path);
    const record = text === null ? null : moduleRecord(path, text);
    this.#records.set(path, record);
    return record;
  }

  /** A file that the tree does not have is missing in it, even where the other tree, on disk, has it. */
  resolve(file: string, specifier: string): Resolution {
    const found = this.tree.resolver.resolve(file, specifier);
    return found.kind === 'file' && this.tree.read(found.path) === null ? { kind: 'missing' } : found;
  }

  /** The names that a module gives, its barrels looked through; null where that cannot be told. */
  exportsOf(path: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> | null {
    if (seen.has(path)) return new Set();
    if (!SCRIPT.test(path) || path.includes('/node_modules/')) return null;
    const record = this.record(path);
    if (record === null || record.isUndecided || record.hasSyntaxError) return null;
    const names = new Set(record.isCommon ? [...record.exports, 'default'] : record.exports);
    for (const star of record.stars) {
      const target = this.resolve(path, star);
      const others = target.kind === 'file' ? this.exportsOf(target.path, new Set([...seen, path])) : null;
      if (others === null) return null;
      for (const name of others) if (name !== 'default') names.add(name);
    }
    return names;
  }

  /** The module that an export stands for as a whole; null where it is anything else. */
  #namespaceBehind(path: string, name: string, seen: ReadonlySet<string> = new Set()): string | null {
    const record = SCRIPT.test(path) && !seen.has(path) ? this.record(path) : null;
    if (record === null) return null;
    if (record.isCommon && name === 'default' && !record.exports.has('__esModule')) return path;
    const next = new Set([...seen, path]);
    const handed = record.handedOn.get(name);
    const ways = handed === undefined ? record.stars.map((specifier) => ({ specifier, imported: name })) : [handed];
    for (const { specifier, imported } of ways) {
      const target = this.resolve(path, specifier);
      if (target.kind !== 'file') continue;
      const found = imported === null ? target.path : this.#namespaceBehind(target.path, imported, next);
      if (found !== null) return found;
    }
    return null;
  }

  /** Whether a read of a namespace finds nothing; what every object has by itself is always found. */
  #lacks(path: string, [name, ...rest]: readonly string[]): boolean {
    const given = this.exportsOf(path);
    if (given === null || name === undefined || name in Object.prototype || name === '__esModule') return false;
    if (!given.has(name)) return rest.length === 0;
    const inner = rest.length === 0 ? null : this.#namespaceBehind(path, name);
    return inner !== null && this.#lacks(inner, rest);
  }

  findingsIn(path: string): ImportFindings {
    const [record, text] = [this.record(path), this.tree.read(path)];
    if (record === null || text === null || record.hasSyntaxError) return { findings: [], undecided: [] };
    const file = relative(this.tree.root, path).split(sep).join('/');
    const { lineAt } = placesOf(text);
    const findings = new Map<string, Finding>();
    const undecided = new Set<string>();
    const report = (offset: number, message: string, key: string): void => {
      if (!findings.has(key)) findings.set(key, { file, line: lineAt(offset), message, key });
    };
    for (const { specifier, offset, isGuarded, isTypeOnly } of record.requests) {
      const target = this.resolve(path, specifier);
      const isOfOurs = /^\.{1,2}(\/|$)/.test(specifier);
      if (target.kind === 'undecided' && !isGuarded && !isTypeOnly) undecided.add(`${file}: ${target.why}.`);
      if (target.kind !== 'missing' || isGuarded || (isTypeOnly && !isOfOurs)) continue;
      report(offset, `There is no module ${specifier}.`, `import ${file}: no module ${specifier}`);
    }
    for (const { name, specifier, offset } of record.names) {
      const target = this.resolve(path, specifier);
      const given = target.kind === 'file' ? this.exportsOf(target.path) : null;
      if (given === null || given.has(name)) continue;
      report(offset, `${specifier} does not export ${name}.`, `import ${file}: no ${name} in ${specifier}`);
    }
    for (const { specifier, imported, names, offset } of record.reads()) {
      const target = this.resolve(path, specifier);
      if (target.kind !== 'file') continue;
      const whole = imported === null ? target.path : this.#namespaceBehind(target.path, imported);
      if (whole === null || !this.#lacks(whole, names)) continue;
      const name = [...(imported === null ? [] : [imported]), ...names].join('.');
      report(offset, `${specifier} does not export ${name}.`, `import ${file}: no ${name} in ${specifier}`);
    }
    if (record.computed > 0) undecided.add(`${file}: ${record.computed} of its imports are computed while it runs.`);
    return { findings: [...findings.values()], undecided: [...undecided] };
  }
}
