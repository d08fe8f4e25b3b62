/**
 * Finds the file behind a specifier as the project's tools would, without running any of them. Where more than one tool could
 * be meant, whatever one of them finds counts. The sole owner of oxc-resolver.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResolverFactory, type NapiResolveOptions } from 'oxc-resolver';

export type Resolution =
  | { readonly kind: 'file'; readonly path: string }
  /** Part of Node, a virtual module, a file that a bundler makes: there, and nothing to look into. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undecided'; readonly why: string };

export interface Resolver {
  readonly resolve: (file: string, specifier: string) => Resolution;
}

const SCRIPTS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const OPTIONS: NapiResolveOptions = {
  extensions: [...SCRIPTS, '.json', '.node', '.vue', '.svelte', '.d.ts'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
    '.jsx': ['.tsx', '.jsx'],
    '.mjs': ['.mts', '.mjs', '.d.mts'],
    '.cjs': ['.cts', '.cjs', '.d.cts'],
  },
  conditionNames: ['node', 'import', 'require', 'module', 'development', 'default', 'types'],
  mainFields: ['module', 'main', 'types'],
  builtinModules: true,
  nodePath: false,
  tsconfig: 'auto',
};

/** Files in which a project may give modules other names. */
const CONFIGURATION =
  /^(?:package\.json|\.babelrc.*|(?:vite|vitest|webpack|jest|babel|rollup|rolldown|next|nuxt|metro|rspack|rsbuild|craco|esbuild|svelte|astro)\S*\.[cm]?[jt]s(?:on)?)$/;
const OTHER_NAMES = /\balias\b|moduleNameMapper|module-resolver|modulePaths|moduleDirectories|"?imports"?\s*:/;

export function openResolver(root: string, searchFolders: readonly string[]): Resolver {
  const factory = new ResolverFactory({ ...OPTIONS, modules: ['node_modules', ...searchFolders] });
  let hasOtherNames: boolean | null = null;
  const resolve = (file: string, specifier: string): Resolution => {
    const bare = specifier.replace(/[?#](?!\/).*$/, (tail, at: number) => (at === 0 ? tail : ''));
    if (/^(?!node:)[a-z][a-z0-9+.-]*:/i.test(bare) || /[!*]/.test(bare)) return { kind: 'elsewhere' };
    const found = factory.resolveFileSync(file, bare);
    if (found.builtin !== undefined || /Builtin/.test(found.error ?? '')) return { kind: 'elsewhere' };
    if (found.path !== undefined) return { kind: 'file', path: found.path.replace(/[?#].*$/, '') };
    if (/^\.{0,2}\//.test(bare) || bare === '.' || bare === '..') return { kind: 'missing' };
    if (factory.resolveDtsSync(file, bare).path !== undefined) return { kind: 'elsewhere' };
    const name = bare.split('/', bare.startsWith('@') ? 2 : 1).join('/');
    if (isInstalled(file, name))
      return { kind: 'undecided', why: `${name} is there, but not the part ${specifier} of it` };
    if (isDeclared(file, root, name)) return { kind: 'undecided', why: `${name} is declared and not installed` };
    hasOtherNames ??= givesOtherNames(root);
    if (hasOtherNames) return { kind: 'undecided', why: `${specifier} may be a name that the configuration gives` };
    return { kind: 'missing' };
  };
  return { resolve };
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

function isInstalled(file: string, name: string): boolean {
  for (const folder of foldersAbove(file)) if (existsSync(join(folder, 'node_modules', name))) return true;
  return false;
}

function isDeclared(file: string, root: string, name: string): boolean {
  for (const folder of foldersAbove(file)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(`"${name}"`)) return true;
    if (folder === root) return false;
  }
  return false;
}

function givesOtherNames(root: string): boolean {
  return readdirSync(root)
    .filter((name) => CONFIGURATION.test(name))
    .some((name) => OTHER_NAMES.test(readFileSync(join(root, name), 'utf8')));
}
