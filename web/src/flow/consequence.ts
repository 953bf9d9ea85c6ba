/** `consequence`: what a call that waits would do, in a sentence, and whether that can be undone. */

import type { Call, ShownPreview } from '../events/model';
import { revealedLine } from '../parts/visible';
import { counted } from './words';

export interface Consequence {
  readonly does: string;
  readonly undo: string;
}

export function consequence(call: Call, preview: ShownPreview): Consequence {
  return { does: does(call, preview), undo: undo(call, preview) };
}

function does(call: Call, preview: ShownPreview): string {
  const { content, place, targets } = preview;
  const these = typeof targets === 'object' && 'these' in targets ? targets.these : [];
  if (content?.kind === 'command') {
    const what = these.length > 1 ? `these ${these.length} commands` : 'this command';
    return `Runs ${what}${place === undefined ? '' : ` in ${revealedLine(place)}`}.`;
  }
  if (content?.kind === 'diff') {
    const name = revealedLine(these[0]?.text ?? 'a file');
    const { added, removed } = lines(content.text);
    if (isNew(content.text)) return `Creates ${name} with ${counted(added, 'line')}.`;
    return `Changes ${name}: ${counted(added, 'line')} added, ${removed} removed.`;
  }
  return `Calls ${revealedLine(call.tool)} with these arguments.`;
}

/** The tool says what it does to the world; nobody else knows. */
function undo({ effect }: Call, { content, read_only }: ShownPreview): string {
  if (read_only || effect === 'read_only') return 'It changes nothing.';
  if (content?.kind === 'diff') {
    return isNew(content.text)
      ? 'To undo it, delete the file.'
      : 'It cannot be undone from here: what is removed is kept nowhere else.';
  }
  if (effect === 'destructive') return 'It cannot be undone.';
  return 'It changes something; whether that can be undone is not known.';
}

function isNew(diff: string): boolean {
  return /^--- \/dev\/null$/m.test(diff.slice(0, 4_096));
}

function lines(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  let inside = false;
  for (const line of diff.split('\n')) {
    // What stands before the first hunk names files.
    if (line.startsWith('@@')) inside = true;
    else if (inside && line.startsWith('+')) added += 1;
    else if (inside && line.startsWith('-')) removed += 1;
  }
  return { added, removed };
}
