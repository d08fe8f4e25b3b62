/** What this machine has of what Surepatch can use, and what to do about what is missing. */
import { allowedPrefixes } from '../engine/command/allow.ts';
import type { Product } from './product.ts';

export interface MachineFinding {
  readonly subject: 'node' | 'git' | 'state folder' | 'isolation' | 'shadow tree' | 'test commands';
  /** `missing`: Surepatch cannot work; `limited`: it works and promises less. */
  readonly state: 'fine' | 'limited' | 'missing';
  readonly found: string;
  /** What to do; null when nothing needs doing. */
  readonly advice: string | null;
}

const OLDEST_NODE = 20;

/** Looks at each thing once; leaves nothing behind but the state folder itself. */
export async function examineMachine(product: Product, nodeVersion: string): Promise<readonly MachineFinding[]> {
  const { host } = product;
  const isNodeNew = Number(nodeVersion.split('.', 1)[0]) >= OLDEST_NODE;
  // As seen from no repository: what lies in the folder that somebody happens to stand in is not the machine's.
  const git = host.findGit(host.runtimeFolder);
  const state = host.state();
  const policy = product.policy();
  const isolation = await host.runner.isolation();
  const shadow = await host.shadows.probe();
  return [
    {
      subject: 'node',
      state: isNodeNew ? 'fine' : 'missing',
      found: `Node ${nodeVersion}`,
      advice: isNodeNew ? null : `Install Node ${OLDEST_NODE} or newer.`,
    },
    git.ok
      ? { subject: 'git', state: 'fine', found: git.value.path, advice: null }
      : {
          subject: 'git',
          state: 'limited',
          found: git.failure.message,
          advice: 'Install git; without it every write keeps a backup file, because nothing else holds the old bytes.',
        },
    state.ok
      ? { subject: 'state folder', state: 'fine', found: state.value.folder.path, advice: null }
      : { subject: 'state folder', state: 'missing', found: state.failure.message, advice: state.failure.hint },
    isolation.processes === 'pid_namespace'
      ? { subject: 'isolation', state: 'fine', found: isolation.probe, advice: null }
      : {
          subject: 'isolation',
          state: 'limited',
          found: isolation.probe,
          advice: 'Allow unprivileged user namespaces, so that no process of a test run can outlive it.',
        },
    shadow.reason === null
      ? { subject: 'shadow tree', state: 'fine', found: shadow.found, advice: null }
      : {
          subject: 'shadow tree',
          state: 'limited',
          found: `${shadow.found} (${shadow.reason})`,
          advice:
            'Allow mounts in user namespaces (Linux), so that nothing is copied and nothing of a suite reaches the files.',
        },
    policy.ok
      ? {
          subject: 'test commands',
          state: 'fine',
          found: `${allowedPrefixes(policy.value).length} allowed prefixes`,
          advice: null,
        }
      : { subject: 'test commands', state: 'missing', found: policy.failure.message, advice: policy.failure.hint },
  ];
}
