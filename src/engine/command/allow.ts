/** The face of the command policy: what use-cases call. */
export { compilePolicy } from './compile.ts';
export { decide } from './decide.ts';
export { allowedPrefixes, type AllowedCommand, type Policy } from './policy.ts';
export { withCallerPrefixes, withOperatorPrefixes } from './prefixes.ts';
