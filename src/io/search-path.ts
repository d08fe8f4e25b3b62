/**
 * Rebuilds PATH from the folders that can be trusted to hold programs. An entry that is empty, relative, missing or inside
 * the root would let the repository choose the program, so it is left out, never repaired.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../model/inside.ts';
import { realPathOf } from './real-path.ts';

export interface SearchPathRequest {
  /** Absolute real path of the root. */
  readonly root: string;
  /** The value of PATH, as inherited. */
  readonly path: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** Lists the entries of PATH that are absolute, existing folders outside the root, each once, in their order. */
export function trustedFolders({ root, path: value, platform = process.platform }: SearchPathRequest): string[] {
  const realRoot = realPathOf(root) ?? root;
  const entries = (value ?? '').split(platform === 'win32' ? ';' : ':').map((entry) => unquote(entry, platform));
  return [...new Set(entries)].filter((entry) => {
    if (!path.isAbsolute(entry) || isInside(root, entry)) return false;
    const real = realPathOf(entry);
    return real !== null && !isInside(realRoot, real) && statSync(real).isDirectory();
  });
}

/**
 * Makes the PATH of the test command; `first` (the bin folder of the project's virtual environment) goes in front of it.
 * Never empty, because an empty PATH means the current folder.
 */
export function searchPath(request: SearchPathRequest & { readonly first?: string | undefined }): string {
  const windows = (request.platform ?? process.platform) === 'win32';
  const trusted = trustedFolders(request);
  const folders = trusted.length > 0 || windows ? trusted : ['/usr/bin', '/bin'];
  return [...(request.first === undefined ? [] : [request.first]), ...folders].join(windows ? ';' : ':');
}

/** Takes off the quotes that Windows allows around an entry; elsewhere a quote is part of a (relative) name. */
function unquote(entry: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? entry.replaceAll('"', '') : entry;
}
