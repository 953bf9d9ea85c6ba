/** `Shell`: a command, what it wrote, and how it ended. */

import { fields } from './fields';

export interface Shell {
  readonly kind: 'shell';
  readonly command: string;
  /** Where it ran, if that was said. */
  readonly folder: string;
  readonly output: string;
  /** `exit 0`, `stopped`, `not started`. */
  readonly ending: string;
  readonly isOk: boolean;
  readonly took: string;
  /** What went wrong, in a sentence. */
  readonly failure: string;
}

const LAST = /(?:^|\n)\[(exit -?\d{1,9}|stopped|not started), (\d{1,9}\.\d s)\]\s*$/;

export function readShell(args: unknown, text: string): Shell | undefined {
  const { command, cwd } = fields(args);
  const last = LAST.exec(text);
  if (!last) return undefined;
  const [, ending = '', took = ''] = last;
  const isOk = ending === 'exit 0';
  const body = text.slice(0, last.index);
  const failed = isOk ? null : /^Error executing [^:\n]+: ([^\n]*)\n?/.exec(body);
  return {
    kind: 'shell',
    command: typeof command === 'string' ? command : '',
    folder: typeof cwd === 'string' ? cwd : '',
    output: plain(body.slice(failed?.[0].length ?? 0)),
    ending,
    isOk,
    took,
    failure: failed?.[1] ?? '',
  };
}

/** Without the codes that tell a terminal of colours; of a line that was overwritten, what it ended as. */
function plain(output: string): string {
  const text = output.replace(
    /\u001b\[[0-9;:?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g,
    '',
  );
  const lines = text.split('\n').map((line) => line.replace(/\r+$/, ''));
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).join('\n');
}
