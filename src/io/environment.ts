/**
 * Builds the environment of the test command from an allowlist. What is not listed is not passed; credentials, and whatever
 * would change which code a tool loads, are not passed even when the operator lists them.
 */
import path from 'node:path';
import type { FoundProgram } from '../model/run.ts';
import { searchPath } from './search-path.ts';

export interface EnvironmentRequest {
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  readonly program: FoundProgram;
  /** Names that the operator adds to the list, with a launch argument. */
  readonly extraNames?: readonly string[] | undefined;
  /** Assignments in front of the command, which the command policy has already allowed. */
  readonly assignments?: Readonly<Record<string, string>> | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

export interface BuiltEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names that were asked for and are never passed. */
  readonly refusedNames: readonly string[];
}

/** What is passed on, by why it is needed. Folders of caches and toolchains: without them a suite downloads or breaks. */
const PASSED = {
  identity: ['HOME', 'USER', 'LOGNAME'],
  language: ['LANG', 'LANGUAGE', 'LOCALE_ARCHIVE', 'TZ', 'TZDIR'],
  temporaryFiles: ['TMPDIR', 'TEMP', 'TMP'],
  folders: ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
  certificates: ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE'],
  javascript: ['NVM_DIR', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'FNM_DIR'],
  python: ['PYENV_ROOT', 'UV_CACHE_DIR', 'PIP_CACHE_DIR', 'POETRY_CACHE_DIR', 'POETRY_HOME', 'CONDA_PREFIX'],
  go: ['GOPATH', 'GOCACHE', 'GOMODCACHE', 'GOROOT'],
  rust: ['CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN'],
  java: ['JAVA_HOME', 'MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME', 'GRADLE_USER_HOME'],
  dotnet: ['DOTNET_ROOT', 'NUGET_PACKAGES'],
  rubyAndPhp: ['GEM_HOME', 'GEM_PATH', 'RBENV_ROOT', 'COMPOSER_HOME'],
  versionSwitchers: ['ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR'],
} as const;

const PASSED_ON_WINDOWS = [
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
] as const;

/**
 * Asks tools to be plain: no colour, no paging, no question, no watch mode. npx takes `CI` for leave to install what is
 * missing without asking; `npm_config_yes` is its answer to that question.
 */
const FIXED = { CI: '1', NO_COLOR: '1', TERM: 'dumb', npm_config_yes: 'false' } as const;

/** Never passed, whoever asks: they redirect git, decide what a shell or this run is, or carry a credential. */
const NEVER = [
  /^GIT_/,
  /^(PATH|SUREPATCH_.*|VIRTUAL_ENV)$/,
  /^(ENV|BASH_ENV|BASHOPTS|SHELLOPTS|IFS|PS4|BASH_FUNC_.*)$/,
  /(^|_)(TOKEN|SECRET|KEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|ACCESS_KEY_ID|AUTH_SOCK)S?$/,
];

/** Never inherited by default patterns either, so that a name added to PASSED by mistake cannot load code. */
const LOADS_CODE = /^(LD_|DYLD_|NODE_OPTIONS$|NPM_CONFIG_|PYTEST_|PYTHON|RUBYOPT$|PERL5|JAVA_TOOL_OPTIONS$|GOFLAGS$)/;

/** A command's own assignments may say where modules lie (PYTHONPATH=src), never what is loaded into every process. */
const PRELOADS = /^(LD_|DYLD_|NODE_OPTIONS$|NPM_CONFIG_)/;

const VALID_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Builds the whole environment: the allowlist, the operator's names, the fixed values, then the command's assignments.
 * The operator may name what loads code (LD_LIBRARY_PATH for a GPU, say), since the operator chooses what runs anyway.
 */
export function buildEnvironment(request: EnvironmentRequest): BuiltEnvironment {
  const { inherited, root, program, extraNames = [], assignments = {}, platform = process.platform } = request;
  const windows = platform === 'win32';
  const canonical = (name: string): string => (windows ? name.toUpperCase() : name);
  const extras = new Set(extraNames.map(canonical));
  const inheritedEntries = Object.entries(inherited).filter(([name, value]) => {
    const key = canonical(name);
    if (value === undefined || !VALID_NAME.test(name) || isNeverPassed(name)) return false;
    return extras.has(key) || (isListed(key, windows) && !LOADS_CODE.test(key.toUpperCase()));
  });
  const asked = [...extraNames, ...Object.keys(assignments)];
  const preloads = Object.keys(assignments).filter((name) => PRELOADS.test(name.toUpperCase()));
  const refusedNames = asked.filter((name) => !VALID_NAME.test(name) || isNeverPassed(name) || preloads.includes(name));
  const bin = program.origin === 'virtual_environment' ? path.dirname(program.path) : undefined;
  const entries = [
    ...inheritedEntries,
    ...Object.entries(FIXED),
    ...Object.entries(assignments).filter(([name]) => !refusedNames.includes(name)),
    ['PATH', searchPath({ root, path: pathOf(inherited, windows), platform, first: bin })],
    ...(bin === undefined ? [] : [['VIRTUAL_ENV', path.dirname(bin)]]),
  ];
  return { env: stringRecord(entries), refusedNames };
}

/** Reads PATH, whose name Windows spells as it likes. */
export function pathOf(env: Readonly<Record<string, string | undefined>>, windows: boolean): string | undefined {
  if (!windows) return env['PATH'];
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
}

function isListed(name: string, windows: boolean): boolean {
  const listed: readonly string[] = [...Object.values(PASSED).flat(), ...(windows ? PASSED_ON_WINDOWS : [])];
  return listed.includes(name) || name.startsWith('LC_');
}

function isNeverPassed(name: string): boolean {
  return NEVER.some((pattern) => pattern.test(name.toUpperCase()));
}

function stringRecord(entries: readonly (readonly (string | undefined)[])[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of entries) if (name !== undefined && value !== undefined) record[name] = value;
  return record;
}
