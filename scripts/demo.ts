/**
 * npm run demo: the main job on a real project, through the real server. Every line is printed from an answer that was
 * checked, together with the bytes of every file and git's own view; anything that is not as it says ends it with 1.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { layOutProject } from './demo/project.ts';
import { SCENES, type Scene } from './demo/scenes.ts';
import { startServer } from './demo/server.ts';

const COLUMNS = 100;

const project = layOutProject();
const server = await startServer(project);
try {
  await play();
} catch (error) {
  print(`\nThe demo is not as it says. ${error instanceof Error ? error.message : String(error)}\n${server.log()}`);
  process.exitCode = 1;
} finally {
  await server.close();
  project.remove();
}

async function play(): Promise<void> {
  print(`Surepatch ${server.version} over stdio, on a copy of a small project whose tests are \`node --test\``);
  for (const [index, scene] of SCENES.entries()) {
    const lines = await perform(scene);
    print(`\n${index + 1} ${scene.title}`);
    for (const line of lines) print(`  ${line}`);
  }
  print(`\nAll ${SCENES.length} answers were as they should be; every other file kept its bytes.`);
}

async function perform(scene: Scene): Promise<readonly string[]> {
  const before = project.digests();
  const answer = await server.writeFix(scene.call);
  scene.check(answer);
  const after = project.digests();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  assert.deepEqual(
    changed,
    scene.changes === undefined ? [] : [join(project.root, scene.changes)],
    'only what should change',
  );
  assert.deepEqual(project.gitStatus(), scene.gitStatus, 'git status');
  return scene.tell(answer);
}

/** Prints lines folded at the width of the screen; what is folded keeps the indent of its line. */
function print(text: string): void {
  process.stdout.write(`${text.split('\n').flatMap(fold).join('\n')}\n`);
}

function fold(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines = [indent];
  for (const word of line.trim().split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === indent ? `${last}${word}` : `${last} ${word}`;
    if (longer.length > COLUMNS && last !== indent) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
