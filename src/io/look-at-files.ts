/** The files of a root and what git says of them; without git every file outside the folders that suites write. */
import type { GitOverview } from '../model/overview.ts';
import { lookAtGit } from './git-overview.ts';
import { walk, type DigestSettings } from './tree-digest.ts';

export interface FilesLook {
  readonly git: GitOverview | null;
  /** Relative to the root. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** Of a folder that git tells nothing of. */
const MOST_WALKED = 50_000;

/** Looks at the files below `root`. */
export async function lookAtFiles(root: string, settings: DigestSettings): Promise<FilesLook> {
  const look = await lookAtGit(root, settings);
  if (look !== null && 'git' in look) return { git: look.git, paths: look.files, notes: look.notes };
  const { paths, isComplete } = walk(root, '', MOST_WALKED);
  return {
    git: null,
    paths,
    notes: [
      ...(look === null ? [] : [look.because]),
      ...(isComplete ? [] : [`Only the first ${MOST_WALKED} files were counted.`]),
    ],
  };
}
