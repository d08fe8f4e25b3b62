/**
 * Plays the scenes on a fresh project through the real server. A line is told only after its answer, the bytes of every
 * file and git's own view were checked.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { layOutProject, type DemoProject } from './project.ts';
import { SCENES, type Scene } from './scenes.ts';
import { startServer, type DemoServer } from './server.ts';

const COLUMNS = 100;

/** Plays everything and tells it line by line, none over 100 columns. Rejects with what was not as it says. */
export async function play(tell: (line: string) => void): Promise<void> {
  const project = layOutProject();
  const server = await startServer(project);
  try {
    tell(`Surepatch ${server.version} over stdio, on a copy of a small project whose tests are \`node --test\``);
    for (const [index, scene] of SCENES.entries()) {
      const lines = await perform(scene, server, project);
      tell('');
      tell(`${index + 1} ${scene.title}`);
      for (const line of lines.flatMap((text) => fold(`  ${text}`))) tell(line);
    }
    tell('');
    tell(`All ${SCENES.length} answers were as they should be; every other file kept its bytes.`);
  } catch (error) {
    const log = server.log() === '' ? '' : `\nThe server's log:\n${server.log()}`;
    throw new Error(`${error instanceof Error ? error.message : String(error)}${log}`, { cause: error });
  } finally {
    await server.close();
    project.remove();
  }
}

async function perform(scene: Scene, server: DemoServer, project: DemoProject): Promise<readonly string[]> {
  const before = project.digests();
  const answer = await server.writeFix(scene.call);
  scene.check(answer);
  const after = project.digests();
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = paths.filter((path) => before.get(path) !== after.get(path));
  assert.deepEqual(changed, scene.changes === undefined ? [] : [join(project.root, scene.changes)], 'files changed');
  assert.deepEqual(project.gitStatus(), scene.gitStatus, 'git status');
  return scene.tell(answer);
}

/** Breaks a line at blanks so that it fits the screen; what is folded keeps the indent. */
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
