/** npm run faults: injects faults into real processes and says whether any of them broke a promise. */
import { drive } from './driver.ts';
import { runHarness } from './harness.ts';

if (process.argv[2] === 'drive') drive();
else process.exitCode = await runHarness(process.argv.slice(2));
