/** The program: reads the request that its only argument names and prints the examination. Neither imports nor runs the project. */
import { readFileSync } from 'node:fs';
import type { ExaminationRequest } from '../../model/examination.ts';
import { examine } from './examine.ts';

const [, , requestPath] = process.argv;
if (requestPath === undefined) throw new Error('the path of the request is missing');
process.stdout.write(JSON.stringify(examine(readRequest(requestPath))));

/** The request is written by Surepatch itself. */
function readRequest(path: string): ExaminationRequest {
  const request: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isRequest(request)) throw new Error('this is no request');
  return request;
}

function isRequest(value: unknown): value is ExaminationRequest {
  return (
    typeof value === 'object' && value !== null && 'root' in value && 'files' in value && Array.isArray(value.files)
  );
}
