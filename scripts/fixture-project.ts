/** Copies a project of `fixtures/repos/` to where it may be run. The original is never run or changed. */
import { cpSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Finds the checkout that this file belongs to, from its source and from its compiled place alike. */
export function repositoryFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'fixtures', 'repos'))) {
    if (folder === dirname(folder)) throw new Error('There is no fixtures/repos above this script.');
    folder = dirname(folder);
  }
  return folder;
}

/** Copies the project into a folder that does not exist yet, and gives its disarmed manifests their names back. */
export function copyFixture(name: string, to: string): void {
  cpSync(join(repositoryFolder(), 'fixtures', 'repos', name), to, { recursive: true, errorOnExist: true });
  for (const file of readdirSync(to)) {
    if (file.includes('.fixture.')) renameSync(join(to, file), join(to, file.replace('.fixture.', '.')));
  }
}
