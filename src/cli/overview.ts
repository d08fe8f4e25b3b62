/** surepatch overview: the repo_overview use-case for a person or a script; waits until the files were looked at. */
import { refusalOfOverview } from '../model/overview.ts';
import { repoOverviewText } from '../tools/repo-overview-text.ts';
import { repoOverview } from '../usecases/repo-overview.ts';
import { brokeDown } from './broke-down.ts';
import { NO_OPTIONS, open, type OperatorOptions } from './open.ts';
import { untilStopped } from './stop-signals.ts';
import type { Surroundings } from './surroundings.ts';

export interface OverviewOptions extends OperatorOptions {
  readonly json?: boolean;
}

const TOLD = 0;
const REFUSED = 2;

/** Prints the report and resolves with the exit code. */
export async function overviewCommand(
  surroundings: Surroundings,
  repository: string | undefined,
  options: OverviewOptions,
): Promise<number> {
  const roots = repository === undefined ? [] : [repository];
  const opened = open(surroundings, { ...NO_OPTIONS, ...options, roots });
  const answer = opened.ok
    ? await untilStopped(surroundings, (call) =>
        repoOverview(opened.value, { consistency: 'wait_until_indexed' }, call),
      ).catch(brokeDown)
    : opened;
  const report = answer.ok ? answer.value : refusalOfOverview(answer.failure);
  surroundings.stdout.write(
    options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${repoOverviewText(report)}\n`,
  );
  return answer.ok ? TOLD : REFUSED;
}
