import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment, type BuiltEnvironment, type EnvironmentRequest } from '../../src/io/environment.ts';

const FIXED = { CI: '1', NO_COLOR: '1', TERM: 'dumb', npm_config_yes: 'false' };
let folder: string;
let root: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'surepatch-environment-')));
  root = path.join(folder, 'root');
  mkdirSync(path.join(root, '.venv/bin'), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function build(inherited: Record<string, string>, request: Partial<EnvironmentRequest> = {}): BuiltEnvironment {
  return buildEnvironment({
    inherited: { PATH: '/usr/bin', ...inherited },
    root,
    program: { path: '/usr/bin/python3', origin: 'path' },
    platform: 'linux',
    ...request,
  });
}

describe('buildEnvironment', () => {
  it.each([
    'HOME',
    'USER',
    'LANG',
    'LC_ALL',
    'LC_TIME',
    'TZ',
    'TMPDIR',
    'GOPATH',
    'CARGO_HOME',
    'JAVA_HOME',
    'SSL_CERT_FILE',
  ])('passes %s on', (name) => {
    expect(build({ [name]: 'kept' })).toEqual({
      env: { ...FIXED, PATH: '/usr/bin', [name]: 'kept' },
      refusedNames: [],
    });
  });

  it.each([
    ...[
      'GIT_DIR',
      'GIT_SSH_COMMAND',
      'GITHUB_TOKEN',
      'NPM_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'SSH_AUTH_SOCK',
    ],
    ...[
      'OPENAI_API_KEY',
      'DB_PASSWORD',
      'NODE_OPTIONS',
      'npm_config_script_shell',
      'NPM_CONFIG_PREFIX',
      'PYTEST_ADDOPTS',
    ],
    ...[
      'PYTHONPATH',
      'PYTHONSTARTUP',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'BASH_ENV',
      'ENV',
      'GOFLAGS',
    ],
    ...[
      'BASH_FUNC_x%%',
      'RUBYOPT',
      'JAVA_TOOL_OPTIONS',
      'HTTPS_PROXY',
      'SUREPATCH_RUN',
      'VIRTUAL_ENV',
      'EDITOR',
      'SHELL',
    ],
  ])('does not pass %s on by itself', (name) => {
    expect(build({ [name]: 'leaks' })).toEqual({ env: { ...FIXED, PATH: '/usr/bin' }, refusedNames: [] });
  });

  it('passes the names the operator adds, LD_LIBRARY_PATH among them', () => {
    const inherited = { DATABASE_URL: 'd', LD_LIBRARY_PATH: '/opt/lib', OTHER: 'o' };
    expect(build(inherited, { extraNames: ['DATABASE_URL', 'LD_LIBRARY_PATH', 'ABSENT'] })).toEqual({
      env: { ...FIXED, PATH: '/usr/bin', DATABASE_URL: 'd', LD_LIBRARY_PATH: '/opt/lib' },
      refusedNames: [],
    });
  });

  it('refuses, and names, what may never be passed even when the operator adds it', () => {
    const extraNames = ['GIT_DIR', 'NPM_TOKEN', 'MY_API_KEY', 'PATH', 'BASH_ENV', 'SUREPATCH_RUN', 'a=b', ''];
    const inherited = Object.fromEntries(extraNames.map((name) => [name, '/usr/bin']));
    expect(build(inherited, { extraNames })).toEqual({ env: { ...FIXED, PATH: '/usr/bin' }, refusedNames: extraNames });
  });

  it("lets the command's own assignments win, except those that redirect git or load code everywhere", () => {
    const assignments = { PYTHONPATH: 'src', CI: '0', GIT_DIR: 'x', LD_PRELOAD: 'x', NODE_OPTIONS: 'x', PATH: '.' };
    expect(build({}, { assignments })).toEqual({
      env: { ...FIXED, PATH: '/usr/bin', PYTHONPATH: 'src', CI: '0' },
      refusedNames: ['GIT_DIR', 'LD_PRELOAD', 'NODE_OPTIONS', 'PATH'],
    });
  });

  it('keeps of PATH only absolute existing folders outside the root, each once', () => {
    const entries = [
      '',
      '.',
      'bin',
      '""',
      '/usr/bin',
      root,
      `${root}/.venv/bin`,
      '/nowhere',
      '/usr/bin',
      '/usr/sbin',
      '/etc/passwd',
    ];
    expect(build({ PATH: entries.join(':') }).env['PATH']).toBe('/usr/bin:/usr/sbin');
  });

  it.each(['', '.', ':', '/nowhere'])('never hands on an empty PATH, given %j', (value) => {
    expect(build({ PATH: value }).env['PATH']).toBe('/usr/bin:/bin');
  });

  it("puts the virtual environment's folder first and names it when the program is from there", () => {
    const program = { path: path.join(root, '.venv/bin/pytest'), origin: 'virtual_environment' } as const;
    expect(build({ VIRTUAL_ENV: '/another' }, { program }).env).toEqual({
      ...FIXED,
      PATH: `${root}/.venv/bin:/usr/bin`,
      VIRTUAL_ENV: path.join(root, '.venv'),
    });
  });

  it('compares names without regard to case on Windows, where the system needs more of them', () => {
    const { env } = build(
      { SystemRoot: 'C:\\Windows', Path: '/usr/bin', PathExt: '.EXE', Git_Dir: 'x', Other: 'o' },
      { platform: 'win32' },
    );
    expect(Object.keys(env).sort()).toEqual([
      'CI',
      'NO_COLOR',
      'PATH',
      'PathExt',
      'SystemRoot',
      'TERM',
      'npm_config_yes',
    ]);
  });
});
