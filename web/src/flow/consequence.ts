/** `consequence`: what a call that waits would do, in a sentence, and whether that can be undone. */

import type { Call, ShownPreview } from '../events/model';
import { t, tn } from '../i18n/text.svelte';
import { revealedLine } from '../parts/visible';

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
    const count = Math.max(these.length, 1);
    if (place === undefined) return tn(count, 'Runs this command.', 'Runs these {count} commands.');
    return tn(count, 'Runs this command in {place}.', 'Runs these {count} commands in {place}.', {
      place: revealedLine(place),
    });
  }
  if (content?.kind === 'diff') {
    const name = revealedLine(these[0]?.text ?? t('a file'));
    const { added, removed } = lines(content.text);
    if (isNew(content.text)) {
      return tn(added, 'Creates {name} with {count} line.', 'Creates {name} with {count} lines.', {
        name,
      });
    }
    return tn(
      added,
      'Changes {name}: {count} line added, {removed} removed.',
      'Changes {name}: {count} lines added, {removed} removed.',
      { name, removed },
    );
  }
  return t('Calls {tool} with these arguments.', { tool: revealedLine(call.tool) });
}

/** The tool says what it does to the world; nobody else knows. */
function undo({ effect }: Call, { content, read_only }: ShownPreview): string {
  if (read_only || effect === 'read_only') return t('It changes nothing.');
  if (content?.kind === 'diff') {
    return isNew(content.text)
      ? t('To undo it, delete the file.')
      : t('It cannot be undone from here: what is removed is kept nowhere else.');
  }
  if (effect === 'destructive') return t('It cannot be undone.');
  return t('It changes something; whether that can be undone is not known.');
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
