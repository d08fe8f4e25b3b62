/** Throw-away git repositories with one commit. */
import { execFileSync } from 'node:child_process';

/** Makes the folder a repository and commits everything in it. */
export function commitAll(folder: string, env: Readonly<Record<string, string>>): void {
  const git = (...args: string[]): void => {
    // A collection in the background would be measured as well, and outlive the folder.
    const settings = ['user.name=Bench', 'user.email=bench@example.invalid', 'gc.auto=0', 'maintenance.auto=false'];
    execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
}
