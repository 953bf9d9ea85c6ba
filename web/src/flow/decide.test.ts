import { describe, expect, it } from 'vitest';
import { live, log } from '../../tests/logs/read';
import type { Call, ShownPreview } from '../events/model';
import { waitingIn } from '../events/read';
import { fold } from '../events/reducer';
import { consequence } from './consequence';
import { alike } from './decide';

/** A call that waits, out of a real run. */
function waiting(): Call {
  const items = live(log('allowed'));
  const at = items.findIndex(({ event }) => event.type === 'call_preview');
  const turn = fold(items.slice(0, at + 1)).turns[0];
  const call = turn && waitingIn(turn)[0];
  if (!call?.preview) throw new Error('nothing waits');
  return call;
}

const one = waiting();

function like(id: string, change: Partial<Call> = {}, preview: Partial<ShownPreview> = {}): Call {
  if (!one.preview) throw new Error('nothing waits');
  return { ...one, id, ...change, preview: { ...one.preview, fingerprint: id, ...preview } };
}

describe('calls that are decided about together', () => {
  it('are of one tool', () => {
    const calls = [like('a'), like('b', { tool: 'bash' }), like('c')];
    expect(alike(calls)).toEqual([
      {
        tool: one.tool,
        calls: [
          { id: 'a', fingerprint: 'a' },
          { id: 'c', fingerprint: 'c' },
        ],
      },
    ]);
  });

  it.each<[string, Call]>([
    ['the tool says why', like('b', {}, { review_reason: 'it is a hook' })],
    ['a rule says why', like('b', {}, { rule_concern: 'it may be denied' })],
    ['the check says why', like('b', { reviewReason: 'nobody asked for it' })],
    ['it is decided', like('b', { phase: 'queued' })],
  ])('are none of which each has to be looked at: %s', (_, other) => {
    expect(alike([like('a'), other])).toEqual([]);
  });
});

it('finds what waits in runs within the run', () => {
  const turn = fold(live(log('nested'))).turns[0];
  const [first, ...others] = turn?.rounds ?? [];
  const outer = first?.calls[0];
  if (!turn || !first || !outer?.nested) throw new Error('nothing is nested');
  const [inside] = outer.nested.rounds;
  if (!inside) throw new Error('nothing happened in it');
  const nested = { ...outer.nested, rounds: [{ ...inside, calls: [like('inner')] }] };
  const calls = [{ ...outer, result: undefined, nested }];
  const open = { ...turn, rounds: [{ ...first, calls }, ...others] };
  expect(waitingIn(open).map((call) => call.id)).toEqual(['inner']);
  // One that is over waits for nobody.
  expect(waitingIn({ ...open, rounds: [{ ...first, calls: [{ ...outer, nested }] }] })).toEqual([]);
});

describe('what a call would do', () => {
  const diff = '--- a/hello.txt\n+++ b/hello.txt\n@@ -1,2 +1,3 @@\n A\n-B\n+C\n+D\n';
  const target = { text: 'hello.txt' };
  it.each<[string, Partial<ShownPreview>, Partial<Call>, string, string]>([
    [
      'a change',
      { content: { kind: 'diff', text: diff }, targets: { these: [target] } },
      { effect: 'destructive' },
      'Changes hello.txt: 2 lines added, 1 removed.',
      'It cannot be undone from here: what is removed is kept nowhere else.',
    ],
    [
      'a new file',
      {
        content: {
          kind: 'diff',
          text: diff.replace('a/hello.txt', '/dev/null').replace('-B\n', ''),
        },
        targets: { these: [target] },
      },
      { effect: 'destructive' },
      'Creates hello.txt with 2 lines.',
      'To undo it, delete the file.',
    ],
    [
      'commands',
      {
        content: { kind: 'command', text: 'a; b' },
        targets: { these: [{ text: 'a' }, { text: 'b' }] },
        place: '/work',
      },
      { effect: 'destructive' },
      'Runs these 2 commands in /work.',
      'It cannot be undone.',
    ],
    [
      'something else',
      { content: undefined, targets: 'arguments' },
      { effect: 'write', tool: 'send' },
      'Calls send with these arguments.',
      'It changes something; whether that can be undone is not known.',
    ],
  ])('is said of %s', (_, preview, call, does, undo) => {
    const given = like('a', call, preview);
    expect(given.preview && consequence(given, given.preview)).toEqual({ does, undo });
  });
});
