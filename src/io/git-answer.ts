/** Puts questions to `git cat-file --batch-check` and reads the answers exactly, whatever bytes a name holds. */

export interface GitObject {
  /** Hexadecimal, 40 digits in a SHA-1 repository and 64 in a SHA-256 one. */
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The arguments of cat-file and its standard input. */
export interface Batch {
  readonly args: readonly string[];
  readonly input: Buffer;
}

const OBJECT = /^([0-9a-f]{40}|[0-9a-f]{64}) ([a-z]+) ([0-9]+)$/;

/** Makes one batch of questions; a name with a line feed or carriage return needs `-z`, which git knows since 2.38. */
export function askAll(questions: readonly string[]): Batch {
  const separator = questions.some((question) => /[\r\n]/.test(question)) ? '\0' : '\n';
  const format = ['--batch-check=%(objectname) %(objecttype) %(objectsize)'];
  return {
    args: separator === '\0' ? ['-z', ...format] : format,
    input: Buffer.from(questions.map((question) => question + separator).join('')),
  };
}

/**
 * Reads one answer per question, in their order: the object, or null for one that is missing. Throws when the output
 * is not such a list: a refusal echoes the question, so it is matched by its bytes and never split at line feeds.
 */
export function readAnswers(questions: readonly string[], output: Buffer): readonly (GitObject | null)[] {
  let at = 0;
  const answers = questions.map((question) => {
    const missing = Buffer.from(`${question} missing\n`);
    if (output.subarray(at, at + missing.length).equals(missing)) {
      at += missing.length;
      return null;
    }
    const end = output.indexOf('\n', at);
    const [, id, type, size] = OBJECT.exec(output.toString('latin1', at, end)) ?? [];
    if (end < 0 || id === undefined || type === undefined || size === undefined) {
      throw new SyntaxError('git gave an answer that is not understood');
    }
    at = end + 1;
    return { id, type, size: Number(size) };
  });
  if (at !== output.length) throw new SyntaxError('git gave more answers than were asked for');
  return answers;
}
