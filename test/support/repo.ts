/** A project of `fixtures/repos/` as a real git repository in a folder of its own, everything committed. */
import { join } from 'node:path';
import { copyFixture } from '../../scripts/fixture-project.ts';
import { gitRepo, temporaryFolder, type GitRepo } from './git-repo.ts';

export interface FixtureRepo extends GitRepo {
  /** A folder beside the repository, for what must not lie in it: state, files outside the root. */
  readonly beside: string;
  /** Removes both. */
  readonly dispose: () => void;
}

/** Copies a fixture, gives its manifests their names back and commits it. */
export function fixtureRepo(name: string): FixtureRepo {
  const { path: beside, dispose } = temporaryFolder();
  const path = join(beside, name);
  copyFixture(name, path);
  const repo = gitRepo(path);
  repo.commit('start');
  return { ...repo, beside, dispose };
}
