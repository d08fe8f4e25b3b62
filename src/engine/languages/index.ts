/** The languages, in the order in which they are asked. */
import { javascript } from './javascript/javascript.ts';
import type { Language } from './language.ts';
import { python } from './python/python.ts';

export const languages: readonly Language[] = [python, javascript];
