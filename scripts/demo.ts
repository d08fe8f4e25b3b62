/** npm run demo: the main job on a real project, through the real server; ends with 1 when anything is not as it says. */
import { play } from './demo/play.ts';

try {
  await play((line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`\nThe demo is not as it says: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
