/** An overview as text that stands alone: how new it is first, then git, the project, the machine, and what happened. */
import type { GitOverview, OverviewAnswer, RecentWrite, SuiteOverview } from '../model/overview.ts';

const MOST_LINES = 20;
const MOST_CHARACTERS = 200;
const MOST_COMMANDS = 12;

/** Writes the text of an overview, or of the reason why there is none. */
export function repoOverviewText(report: OverviewAnswer): string {
  if (report.error !== undefined) {
    return [`No overview [${report.error_code ?? ''}]: ${report.error}`, `Next: ${report.hint ?? ''}`].join('\n');
  }
  const { caveats = [], recent_writes: recent = [], allowed_commands: commands = [] } = report;
  const isSeen = report.file_count !== null;
  return [
    `${shown(report.root ?? '')}: ${indexText(report)}`,
    ...caveats.map((caveat) => `Note: ${printable(caveat)}`),
    ...freshnessText(report),
    ...(isSeen ? gitText(report.git ?? null) : []),
    ...(isSeen ? [`Files: ${languagesText(report)}`, ...suitesText(report.suites ?? [])] : []),
    `Allowed test commands (${commands.length}): ${commands.slice(0, MOST_COMMANDS).join(', ')}${commands.length > MOST_COMMANDS ? ', …' : ''}`,
    ...machineText(report),
    verifiedText(report),
    ...some('Recent writes', recent.map(recentText)),
  ].join('\n');
}

function indexText({ index }: OverviewAnswer): string {
  if (index === undefined) return '';
  const { state, as_of: at, satisfied, revision } = index;
  const floor = satisfied ? '' : '; NOT what was asked for';
  return at === null
    ? `${state}, not looked at yet${floor}`
    : `${state}, as of ${at}, revision ${revision ?? ''}${floor}`;
}

function freshnessText({ freshness }: OverviewAnswer): readonly string[] {
  if (freshness === undefined) return [];
  const { epoch, observed_revision: observed, verified_revision: verified, state, watcher } = freshness;
  const { dirty_path_count: dirty, watcher_note: note } = freshness;
  const results = verified === null ? 'nothing verified by this server' : `verified ${verified}`;
  return [
    `Revision ${observed} of epoch ${epoch}; ${results} (${state}); ${dirty} paths touched since; watcher ${watcher}.`,
    ...(note === null ? [] : [`Watcher: ${note}`]),
  ];
}

function gitText(git: GitOverview | null): readonly string[] {
  if (git === null) return ['Git: no repository that git tells of.'];
  const { branch, head, operation, upstream, ahead, behind, changes: changed } = git;
  const where = branch === null ? 'detached HEAD' : `branch ${shown(branch)}`;
  const distance = ahead === null || behind === null ? 'not counted' : `${ahead} ahead, ${behind} behind`;
  const counts = [
    `${git.staged_count} staged`,
    `${git.modified_count} modified`,
    `${git.untracked_count} untracked`,
    `${git.unmerged_count} unmerged`,
  ];
  return [
    `Git: ${where} at ${head ?? 'no commit yet'}${upstream === null ? '' : `, ${distance} of ${shown(upstream)}`}`,
    ...(operation === null ? [] : [`In progress: ${operation}`]),
    `Changed: ${counts.join(', ')}`,
    ...some(
      'Paths',
      changed.map(({ path, status }) => `${status} ${shown(path)}`),
      git.change_count,
    ),
  ];
}

function languagesText({ file_count: count, languages }: OverviewAnswer): string {
  const each = (languages ?? []).map(({ language, files }) => `${language} ${files}`);
  return `${count ?? 0}${each.length === 0 ? '' : ` (${each.join(', ')})`}`;
}

function suitesText(suites: readonly SuiteOverview[]): readonly string[] {
  if (suites.length === 0) return ['Tests: the project’s own files name none; pass a command.'];
  return suites.map(({ language, command, because, installed, problem }) => {
    const runs = problem === null ? (installed ? 'installed, allowed' : 'not installed') : printable(problem);
    return `Tests: ${shown(command)} (${language}; ${printable(because)}): ${runs}`;
  });
}

function machineText({ isolation, shadow }: OverviewAnswer): readonly string[] {
  return [
    ...(isolation === undefined || isolation === null
      ? []
      : [`Isolation: ${isolation.level}, ${isolation.processes}: ${isolation.probe}`]),
    ...(shadow === undefined || shadow === null
      ? []
      : [`Shadow tree: ${shadow.tier}${shadow.reason === null ? '' : ` (${shadow.reason})`}`]),
  ];
}

function verifiedText({ last_verified: last }: OverviewAnswer): string {
  if (last === undefined || last === null) return 'Last verified: nothing';
  const reason = last.reason_code === null ? '' : ` [${last.reason_code}]`;
  return `Last verified: ${last.verdict ?? 'no verdict'}${reason} at ${last.at}, ${last.id}: ${last.paths.map(shown).join(', ')}`;
}

function recentText({ id, kind, at, outcome, paths }: RecentWrite): string {
  return `${at} ${kind} ${id} ${outcome}: ${paths.map(shown).join(', ')}`;
}

function some(title: string, lines: readonly string[], count = lines.length): readonly string[] {
  if (count === 0) return [];
  const more = count > MOST_LINES ? [`  and ${count - MOST_LINES} more`] : [];
  return [`${title} (${count}):`, ...lines.slice(0, MOST_LINES).map((line) => `  ${line}`), ...more];
}

/** Names may hold line ends and other signs that would read as text of ours. */
function shown(name: string): string {
  const plain = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]*$/u.test(name) ? name : JSON.stringify(name);
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
