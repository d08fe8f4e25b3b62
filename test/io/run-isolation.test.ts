import { describe, expect, it } from 'vitest';
import { groupContainment, probeContainment } from '../../src/io/run-isolation.ts';
import { findSystemProgram } from '../../src/io/system-program.ts';

describe.skipIf(process.platform !== 'linux')('containment', () => {
  it('is found by trying, and says in words what was found', async () => {
    const contained = await probeContainment();
    const words = {
      pid_namespace: /^a PID namespace( in a user namespace)?; (ends with the server|setpriv is missing)/,
      process_group: /^a process group, and a search of \/proc for what leaves it \(.+\)$/,
    };
    expect(contained.probe).toMatch(words[contained.kind]);
  });

  it('as a process group gives its reason and puts nothing but the guard in front', () => {
    const setpriv = findSystemProgram('setpriv');
    expect(groupContainment('because')).toEqual({
      kind: 'process_group',
      prefix: setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--'],
      probe: 'a process group, and a search of /proc for what leaves it (because)',
    });
  });

  it('uses tools of the system folders only, whatever PATH says', () => {
    expect(findSystemProgram('sh')).toMatch(/^\/(usr\/)?s?bin\/sh$/);
    expect(findSystemProgram('no-such-tool')).toBeNull();
  });
});
