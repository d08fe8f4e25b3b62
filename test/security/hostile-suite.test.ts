/** What a suite may do to a shadow tree, and what none of it may do to the real one: a line of attack each. */
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createShadows } from '../../src/io/shadow/shadows.ts';
import { hostileGround, type HostileGround } from '../support/hostile-ground.ts';
import { runDriver, type RunDriver } from '../support/run-driver.ts';

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const canBeReached =
  isRoot && spawnSync('/usr/bin/test', ['-r', import.meta.filename], { uid: NOBODY, gid: NOBODY }).status === 0;
const probed = await createShadows(() => null).probe();

/** Each line says whether it landed (in the shadow tree); `R` is the real path of the root, whatever the tier. */
const says = (line: string): string => `{ ${line}; } 2>/dev/null && echo landed || echo refused`;

/** Name, line, and what it says in an overlay and in a copy that mounts guard. */
const ATTACKS: readonly (readonly [name: string, line: string, overlay: string, copy: string])[] = [
  ['writes into source', says('echo x >> src/app.py && grep -q x src/app.py'), 'landed', 'landed'],
  [
    'writes in place through an open file',
    says('dd if=/dev/zero of=src/app.py bs=4 count=1 conv=notrunc'),
    'landed',
    'landed',
  ],
  ['writes into a dependency', says('echo x >> node_modules/dependency/index.js'), 'landed', 'landed'],
  ['writes through a workspace link', says('echo x >> node_modules/@scope/part/index.js'), 'landed', 'landed'],
  [
    'writes through a link of a scope that leads outside',
    says('echo x >> node_modules/@scope/outer/index.js'),
    'landed',
    'refused',
  ],
  [
    'writes into a linked virtual environment',
    says('echo x >> .venv/lib/site.py && touch .venv/new'),
    'landed',
    'refused',
  ],
  [
    'writes through a link deep in a dependency that leads outside',
    says('echo x >> node_modules/.pnpm/deep@1/node_modules/deep/index.js'),
    'landed',
    'refused',
  ],
  ['writes through a deep link of the sources', says('echo x >> src/deep/er/data/table.csv'), 'landed', 'refused'],
  ['writes through a deep link to a file outside', says('echo x >> .tool/a/b/c/settings.ini'), 'refused', 'refused'],
  ['writes through a link to a program outside', says('echo x >> .tool/build'), 'refused', 'refused'],
  ['writes through a link to a file outside', says('echo x >> settings.json'), 'refused', 'refused'],
  ['writes through an absolute link into the root', says('echo x >> absolute/app.py'), 'landed', 'landed'],
  ['writes by the absolute path of the repository', says('echo x >> "$R/src/app.py"'), 'landed', 'refused'],
  [
    'writes by the absolute path of the virtual environment',
    says('echo x >> "$R/../shared-venv/lib/site.py"'),
    'landed',
    'refused',
  ],
  ['writes by way of its own process', says('echo x >> "/proc/self/root$R/src/app.py"'), 'landed', 'refused'],
  ['writes by way of the first process', says('cd /proc/1/cwd && echo x >> src/app.py'), 'landed', 'landed'],
  ['changes modes', says('chmod 777 src/app.py locked.txt node_modules/dependency/index.js'), 'landed', 'landed'],
  ['changes modes by absolute paths', says('chmod 700 "$R" "$R/src"'), 'landed', 'refused'],
  ['changes times', says('touch -d 2001-01-01 src/app.py src'), 'landed', 'landed'],
  ['removes a file', says('rm -f untracked.txt && ! test -e untracked.txt'), 'landed', 'landed'],
  ['removes a folder', says('rm -rf src/deep node_modules && ! test -e node_modules'), 'landed', 'landed'],
  [
    'removes what it can by the absolute path',
    says('rm -rf "$R/packages" && ! test -e "$R/packages"'),
    'landed',
    'refused',
  ],
  ['renames a folder', says('mv packages moved && test -e moved/part/index.js'), 'landed', 'landed'],
  [
    'replaces a file by a link to the real one',
    says('rm src/app.py && ln -s "$R/locked.txt" src/app.py && chmod u+w src/app.py && echo x >> src/app.py'),
    'landed',
    'refused',
  ],
  ['makes a hard link and writes through it', says('ln untracked.txt hard && echo x >> hard'), 'landed', 'landed'],
  ['makes files', says('touch a src/b empty/c && mkdir d'), 'landed', 'landed'],
  ['unmounts', says('umount "$R"'), 'refused', 'refused'],
  ['unmounts lazily', says('umount -l "$R"'), 'refused', 'refused'],
  ['mounts over again, writable', says('mount -o remount,bind,rw "$R"'), 'refused', 'refused'],
  [
    'unmounts in a user namespace of its own',
    says('unshare --user --map-root-user --mount umount "$R"'),
    'refused',
    'refused',
  ],
  [
    'remounts in a user namespace of its own, which an overlay may allow: it is writable',
    'unshare --user --map-root-user --mount sh -c \'mount -o remount,bind,rw "$R" && echo x >> "$R/src/app.py"\' 2>/dev/null; echo landed',
    'landed',
    'landed',
  ],
  ['enters the namespaces of the first process', says('nsenter --target 1 --mount true'), 'refused', 'refused'],
  [
    'commits',
    says(
      'git -c safe.directory=* -c user.name=a -c user.email=b commit -q --allow-empty -m x && git -c safe.directory=* log --oneline | grep -q x',
    ),
    'landed',
    'refused',
  ],
  [
    'writes after its end',
    'for path in src/app.py "$R/src/app.py"; do (setsid sh -c "sleep 0.3; echo x >> $path" >/dev/null 2>&1 &); done; echo landed',
    'landed',
    'landed',
  ],
  [
    'writes after its end, forked twice and without any mark',
    '(env -i R="$R" setsid sh -c \'(sleep 0.3; cd "$R"; echo x >> src/app.py; rm -rf node_modules) &\' >/dev/null 2>&1 &); echo landed',
    'landed',
    'landed',
  ],
];

type Kind = 'overlay' | 'copy' | 'copy without mounts';

/** Where nothing can be mounted, what goes by absolute paths is open, and a note of the tree says so. */
const BY_ABSOLUTE_PATH = ['commits', 'enters the namespaces of the first process'];

/** What a tree of a kind must keep off, and what each attack says there. */
function attacksOn(kind: Kind): readonly { readonly name: string; readonly line: string; readonly said: string }[] {
  return ATTACKS.flatMap(([name, line, overlay, copy]) => {
    if (kind !== 'copy without mounts') return [{ name, line, said: kind === 'overlay' ? overlay : copy }];
    return line.includes('$R') || BY_ABSOLUTE_PATH.includes(name) ? [] : [{ name, line, said: 'landed' }];
  });
}

/** Why a kind of tree cannot be made here; null where it can. */
function whyNot(kind: Kind): string | null {
  if (kind === 'overlay' && probed.overlay === null) return `no overlay can be mounted here: ${probed.reason ?? ''}`;
  if (kind === 'copy' && probed.mountTools === null) return 'nothing can be mounted here: see the copy without mounts';
  return null;
}

let driver: RunDriver;
let ground: HostileGround;

beforeAll(() => {
  driver = runDriver();
});
afterAll(() => {
  driver.remove();
});
beforeEach(() => {
  ground = hostileGround();
});
afterEach(() => {
  ground.dispose();
});

/** Runs every attack in one tree of its own, in a process of the given user; answers with what each said. */
async function attackAll(kind: Kind, uid: number | undefined): Promise<readonly string[]> {
  const lines = attacksOn(kind).map(({ line }) => line);
  const script = `
    import { openCopy } from './io/shadow/copy.js';
    import { linksOut } from './io/shadow/links-out.js';
    import { createRunner } from './io/runner.js';
    import { createShadows } from './io/shadow/shadows.js';
    const [kind, root, beside, lines] = ${JSON.stringify([kind, ground.root, ground.beside, lines])};
    const shadows = createShadows(() => beside);
    const runner = createRunner();
    const said = [];
    for (const [number, line] of lines.entries()) {
      const files = [{ path: 'src/app.py', bytes: Buffer.from('proposed\\n'), mode: null }];
      const bare = { root, files, tools: null, base: beside, kept: [], links: linksOut(root), reason: 'for a test' };
      const opened = await (kind === 'copy without mounts' ? openCopy(bare) : shadows.open({ root, files, forced: kind }));
      if (!opened.ok) throw new Error(opened.failure.message);
      const tree = opened.value;
      const wrapper = await tree.suiteWrapper();
      if (!wrapper.ok) throw new Error(wrapper.failure.message);
      const outcome = await runner.run({
        command: ['/bin/sh', '-c', line],
        cwd: tree.root,
        env: { PATH: '/usr/bin:/bin', R: root },
        outputPath: beside + '/output-' + number,
        wrapper: wrapper.value ?? undefined,
      });
      said.push(outcome.output.trim() || outcome.startError);
      await tree.dispose();
    }
    console.log(JSON.stringify(said));`;
  const child = driver.start(script, uid);
  return JSON.parse(child.stdout === null ? '' : await text(child.stdout)) as readonly string[];
}

/** Who runs the suite, and who owns the files. */
const users: (readonly [string, number | undefined, number | undefined])[] = [
  ['this user', undefined, undefined],
  ['an ordinary user', NOBODY, NOBODY],
  ['root in the repository of another user', undefined, NOBODY],
];

describe('a hostile suite', () => {
  describe.each(users)('of %s', (_user, uid, owner) => {
    it.for(['overlay', 'copy', 'copy without mounts'] as const)(
      'changes nothing outside a shadow tree of the kind %s: content, modes, owners, times, links',
      { timeout: 120_000 },
      async (kind, { skip }) => {
        skip(owner !== undefined && !canBeReached, 'only root can take another user, who must reach this folder');
        const why = whyNot(kind);
        skip(why !== null, why ?? '');
        if (owner !== undefined) ground.giveTo(owner);
        const before = ground.record();
        const said = await attackAll(kind, uid);
        await delay(500);
        expect(ground.record()).toEqual(before);
        const attacks = attacksOn(kind);
        expect(Object.fromEntries(attacks.map(({ name }, index) => [name, said[index]]))).toEqual(
          Object.fromEntries(attacks.map((attack) => [attack.name, attack.said])),
        );
      },
    );
  });
});
