// @vitest-environment jsdom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { live as streamed, log } from '../../tests/logs/read';
import type { Selection } from '../events/model';
import { fold } from '../events/reducer';
import type { Json } from '../events/types';
import type { Answer } from './answer';
import type { Decide } from './decide';
import Page from './Flow.svelte';
import Tree from './Tree.svelte';

let page: Record<string, unknown> | undefined;

beforeEach(() => {
  // There is no layout here to scroll in.
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  // Nor is there a size that could change.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});

afterEach(() => {
  if (page) void unmount(page);
  page = undefined;
  document.body.replaceChildren();
});

interface Given {
  until?: string;
  selected?: Selection;
  onSelect?: (selection: Selection | undefined) => void;
  onDecide?: Decide;
  onAnswer?: Answer;
  live?: boolean;
}

function show(name: string, { until, ...given }: Given = {}): void {
  const items = streamed(log(name));
  const cut = until ? items.findIndex(({ event }) => event.type === until) + 1 : items.length;
  const conversation = fold(items.slice(0, cut));
  page = mount(Page, { target: document.body, props: { conversation, live: !!until, ...given } });
  flushSync();
}

function text(): string {
  return (document.body.textContent ?? '').replaceAll(/\s+/g, ' ');
}

function button(words: string | RegExp): HTMLButtonElement {
  const all = [...document.querySelectorAll('button')];
  const found = all.find((it) => {
    const said = (it.textContent ?? '').trim();
    return typeof words === 'string' ? said === words : words.test(said);
  });
  if (!found) throw new Error(`no button ${words}`);
  return found;
}

function press(words: string | RegExp): void {
  button(words).click();
  flushSync();
}

function run(name: string, index = 0): string {
  return fold(streamed(log(name))).turns[index]?.run ?? '';
}

describe('the sidebar', () => {
  it('says what it is for while nothing happened', () => {
    page = mount(Page, { target: document.body, props: { conversation: fold([]) } });
    expect(text()).toContain('watch here how it is answered');
  });

  it('draws calls that took no time as calls, and in no colour of trouble', () => {
    const moment = streamed(log('parallel')).map((item) => ({
      ...item,
      event: { ...item.event, at: 1_000 },
    }));
    const conversation = fold(moment);
    page = mount(Page, { target: document.body, props: { conversation } });
    flushSync();
    const bars = [...document.querySelectorAll('.track .bar-piece')];
    expect(bars.map((bar) => bar.firstElementChild?.className.split(' ')[0])).toEqual(
      (conversation.turns[0]?.rounds ?? []).flatMap(({ calls }) => [
        'model',
        ...calls.map(() => 'tool'),
      ]),
    );
  });

  it('shows a run from its request to its answer', () => {
    show('chain');
    expect(text()).toMatch(
      /Analyzing request.*Round 1 of 5.*search_instruments.*get_market_quote.*Generating response/,
    );
    expect(text()).toContain('demo:scripted');
  });

  it.each([
    ['refused', 'guard: placeholders'],
    ['repaired', 'repaired'],
    ['repaired', 'found in text'],
    ['cache', 'cached'],
    ['retry', '3 attempts'],
    ['breaker', 'breaker opened'],
    ['limit-wait', 'waited its turn'],
    ['timeout', 'timed out'],
    ['denied', 'denied'],
    ['cancelled', 'cancelled'],
    ['interrupted', 'interrupted'],
    ['compacted', 'replaced by a digest'],
    ['limit-reached', '2 rounds of tool calls reached'],
    ['returned', 'Eiffel Tower'],
    ['model-retry', 'asked again after'],
    ['model-error', 'the provider answered 500'],
    ['model-fallback', 'gave no reply (the reply broke off): openai:scripted goes on'],
  ])('shows of %s: %s', (name, words) => {
    show(name);
    expect(text()).toContain(words);
  });

  it('shows a call while its arguments arrive', () => {
    show('chain', { until: 'call_delta' });
    expect(text()).toContain('search_instruments writing arguments');
  });

  it('says that a run was cut short', () => {
    show('cancelled', { until: 'call_started', live: false });
    expect(text()).toContain('Cut short');
    expect(text()).not.toContain('running');
  });
});

describe('a link from an argument to where it came from', () => {
  it('leads to the card, in whatever turn it is, and marks the value', () => {
    let selected: Selection | undefined;
    const onSelect = vi.fn((it: Selection | undefined) => (selected = it));
    show('chain', { selected: { run: run('chain'), call: 'call_4_0' }, onSelect });
    press('from search_instruments');
    expect(selected).toEqual({ run: run('chain'), call: 'call_2_0' });
    expect(onSelect).toHaveBeenCalledOnce();
  });

  it('leads to an earlier turn', () => {
    let selected: Selection | undefined;
    const last = run('two-turns', 1);
    show('two-turns', { selected: { run: last, call: 'c3_0' }, onSelect: (it) => (selected = it) });
    press('from search_instruments');
    expect(selected).toEqual({ run: run('two-turns'), call: 'c1_0' });
  });

  it('is opened in the tree, however far down', () => {
    const rows = Array.from({ length: 400 }, (_, id) => ({ id, deep: { security_id: id } }));
    const props = { value: { rows } as Json, label: 'rows', target: '/rows/333/deep/security_id' };
    page = mount(Tree, { target: document.body, props });
    flushSync();
    expect(document.querySelector('.marked')?.textContent).toMatch(/security_id\s*333/);
  });
});

describe('a decision', () => {
  const until = 'call_preview';
  const name = 'allowed';

  it('shows the diff and where it would happen', () => {
    show(name, { until });
    expect(text()).toMatch(/−Hello, world.*\+Hello, reader/);
    expect(text()).toContain('in /tmp/greeting');
  });

  it('says why a rule asks', () => {
    const items = streamed(log(name));
    const at = items.findIndex(({ event }) => event.type === until);
    const asked = items.slice(0, at + 1).map((item) => {
      if (item.event.type !== 'call_preview') return item;
      return {
        ...item,
        event: { ...item.event, rule_concern: 'there is a rule (deny bash `rm *`)' },
      };
    });
    page = mount(Page, { target: document.body, props: { conversation: fold(asked), live: true } });
    flushSync();
    expect(text()).toContain('there is a rule (deny bash `rm *`)');
  });

  it.each([
    ['Allow once', 'allow'],
    ['Always', 'always'],
  ])('%s', (words, verdict) => {
    const onDecide = vi.fn();
    show(name, { until, onDecide });
    press(words);
    expect(onDecide).toHaveBeenCalledWith(
      'c2_0',
      expect.stringMatching(/^[0-9a-f]{64}$/),
      verdict,
      {},
    );
    expect(button(words).disabled).toBe(true);
  });

  it('is a no with a reason', () => {
    const onDecide = vi.fn();
    show(name, { until, onDecide });
    press('Deny');
    const field = document.querySelector<HTMLInputElement>('form input');
    if (!field) throw new Error('no field');
    field.value = ' not today ';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    press('Deny this call');
    expect(onDecide.mock.calls[0]?.slice(2)).toEqual(['deny', { reason: 'not today' }]);
  });

  it('is an edit only of valid JSON', () => {
    const onDecide = vi.fn();
    show(name, { until, onDecide });
    press('Edit');
    const field = document.querySelector('textarea');
    if (!field) throw new Error('no field');
    expect(JSON.parse(field.value)).toMatchObject({ file_path: 'hello.txt' });
    const type = (words: string) => {
      field.value = words;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      flushSync();
    };
    type('{"file_path": ');
    expect(button('Use these').disabled).toBe(true);
    expect(text()).toContain('Not valid JSON');
    type('{"file_path": "b.txt"}');
    press('Use these');
    expect(onDecide.mock.calls[0]?.slice(2)).toEqual([
      'edit',
      { arguments: { file_path: 'b.txt' } },
    ]);
  });

  it('that did not arrive can be made again, and says why', async () => {
    show(name, { until, onDecide: () => Promise.reject(new Error('It no longer waits.')) });
    press('Allow once');
    await vi.waitFor(() => expect(text()).toContain('It no longer waits.'));
    expect(button('Allow once').disabled).toBe(false);
  });

  it('is made once all of it was shown, however long it is', () => {
    const added = Array.from({ length: 3_000 }, (_, at) => `+line ${at}`);
    const diff = `--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,3000 @@\n${added.join('\n')}\n`;
    const items = streamed(log(name));
    const cut = items.findIndex(({ event }) => event.type === until) + 1;
    const long = items.slice(0, cut).map((item) => {
      if (item.event.type !== until) return item;
      const content = { kind: 'diff' as const, text: diff };
      return { ...item, event: { ...item.event, content } };
    });
    const props = { conversation: fold(long), live: true, onDecide: vi.fn() };
    page = mount(Page, { target: document.body, props });
    flushSync();
    const rows = () => document.querySelectorAll('tr.added').length;
    expect(button('Allow once').disabled).toBe(true);
    expect(button('Always').disabled).toBe(true);
    expect(rows()).toBeLessThan(100);
    expect(text()).toMatch(/\+3000 ?added/);
    press('Show all of it');
    expect(rows()).toBe(3_000);
    expect(button('Allow once').disabled).toBe(false);
    press('Show less');
    expect(button('Allow once').disabled).toBe(true);
  }, 30_000);

  it('cannot be made where "always" is not offered, or in a file', () => {
    show('timeout', { until, onDecide: () => undefined });
    expect(() => button('Always')).toThrow();
    void unmount(page ?? {});
    document.body.replaceChildren();
    show(name, { until });
    expect(() => button('Allow once')).toThrow();
  });
});

describe('a run that goes on', () => {
  function watch(name: string, onDecide?: Decide) {
    const props = $state({ conversation: fold([]), live: true, onDecide });
    page = mount(Page, { target: document.body, props });
    const items = streamed(log(name));
    const take = (until: number) => {
      props.conversation = fold(items.slice(0, until), props.conversation);
      flushSync();
    };
    return { items, take };
  }

  it.each(['chain', 'parallel', 'edited', 'refused', 'retry', 'cancelled', 'enforced'])(
    'of %s is in the end what a reload shows',
    (name) => {
      const { items, take } = watch(name);
      for (let cut = 1; cut <= items.length; cut += 1) take(cut);
      const seen = text();
      void unmount(page ?? {});
      document.body.replaceChildren();
      show(name);
      expect(text()).toBe(seen);
    },
  );

  it('asks again where an edit was not taken, also when all of it comes at once', () => {
    const { items, take } = watch('edit-refused', () => undefined);
    const asked = items.flatMap(({ event }, at) => (event.type === 'call_preview' ? [at + 1] : []));
    take(asked[0] ?? 0);
    press('Allow once');
    expect(button('Allow once').disabled).toBe(true);
    take(asked[1] ?? 0);
    expect(button('Allow once').disabled).toBe(false);
    expect(text()).toContain('The arguments of edit were not changed');
  });
});

describe('a large tree', () => {
  const value: Json = Array.from({ length: 1_000 }, (_, id) => ({
    id,
    a: 1,
    b: 2,
    c: 'x'.repeat(500),
  }));

  function rows(): number {
    return document.querySelectorAll('.row').length;
  }

  it('renders what is open, a page at a time', () => {
    page = mount(Tree, { target: document.body, props: { value, label: 'rows' } });
    flushSync();
    expect(rows()).toBe(100);
    press(/^show 100 more of 1,000$/);
    expect(rows()).toBe(200);
  });

  it('cuts long texts until they are asked for', () => {
    page = mount(Tree, {
      target: document.body,
      props: { value: ['y'.repeat(900)], label: 'text' },
    });
    flushSync();
    expect(text().match(/y/g)?.length).toBeLessThan(300);
    press(/show all 900 characters/);
    expect(text().match(/y{900}/)).not.toBeNull();
  });

  it('shows what a search found, and nothing else', () => {
    page = mount(Tree, { target: document.body, props: { value, label: 'rows' } });
    const field = document.querySelector<HTMLInputElement>('input[type=search]');
    if (!field) throw new Error('no field');
    field.value = 'id 777';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    expect(text()).toContain('1 found');
    expect(rows()).toBe(2);
  });
});

describe('a question of a tool', () => {
  const until = 'question_asked';

  it('is told with who asks, and answered with what was filled in', () => {
    const onAnswer = vi.fn();
    show('question', { until, onAnswer });
    expect(text()).toContain('Tables & Co asks you');
    expect(text()).toContain('This is not from Toolwright.');
    expect(text()).toContain('book waiting for you');
    expect(text()).toContain('Budget (optional)');
    const outside = document.querySelector<HTMLInputElement>('input[type=radio][value=out]');
    outside?.click();
    flushSync();
    document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
    expect(onAnswer.mock.calls[0]?.slice(1)).toEqual([
      'q1',
      {
        action: 'accept',
        content: {
          place: 'out',
          guests: 2,
          budget: null,
          day: null,
          email: null,
          extras: [],
          quiet: true,
        },
      },
    ]);
  });

  it.each([
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ])('%s', (words, action) => {
    const onAnswer = vi.fn();
    show('question', { until, onAnswer });
    press(words);
    expect(onAnswer.mock.calls[0]?.slice(1)).toEqual(['q1', { action }]);
    expect(button('Send').disabled).toBe(true);
  });

  it('that was not taken can be answered again, and says why', async () => {
    show('question', { until, onAnswer: () => Promise.reject(new Error('Guests is missing')) });
    press('Decline');
    await vi.waitFor(() => expect(text()).toContain('Guests is missing'));
    expect(button('Decline').disabled).toBe(false);
  });

  it('in a file is shown and not answered', () => {
    show('question', { until, live: false });
    expect(document.querySelector('form')).toBeNull();
  });
});
