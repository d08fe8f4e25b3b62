/** Throw-away git repositories with one commit. */
import { execFileSync } from 'node:child_process';

/** Makes the folder a repository and commits everything in it. */
export function commitAll(folder: string, env: Readonly<Record<string, string>>): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid', ...args], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
}
