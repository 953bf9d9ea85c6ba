/** `made`: the events of a run that made these calls, for tests that need runs of every shape. */

import { readFileSync } from 'node:fs';
import type { Event, Json } from '../../src/events/types';

export interface MadeCall {
  tool: string;
  args?: Json;
  text?: string;
  data?: Json;
  status?: 'success' | 'error';
  /** How long it took, in ms. */
  took?: number;
}

export interface Made {
  run: string;
  question?: string;
  /** The calls of each round. */
  rounds: MadeCall[][];
  answer?: string;
  /** When it began. */
  at?: number;
  conversation?: string;
}

const START = 1_794_754_589_000;

export function made({ run, question = 'Which?', rounds, answer = 'That one.', ...more }: Made) {
  const { at: began = START, conversation = 'conv_made' } = more;
  const events: Event[] = [];
  let at = began;
  let round = 0;
  const put = (event: Record<string, unknown>, after = 1) => {
    at += after;
    events.push({ seq: events.length, run, round, at, ...event } as unknown as Event);
  };
  const limits = { rounds: 50, calls: 5_000, wall_clock_ms: 600_000 };
  put({ type: 'run_started', version: 2, conversation_id: conversation, model: 'made', limits });
  put({ type: 'message', message: { role: 'user', content: question } });
  for (const calls of rounds) {
    round += 1;
    put({ type: 'round_started', of: 50, tool_choice: 'auto' });
    const all = calls.map(({ tool, args = {} }, index) => ({
      id: `${run}_${round}_${index}`,
      tool,
      args,
    }));
    const asked = all.map(({ id, tool, args }) => ({
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    const message = { role: 'assistant', content: null, tool_calls: asked };
    put({ type: 'reply', message, finish: 'tool_calls', usage }, 40);
    const pending = all.map((it) => ({ ...it, status: 'pending', source: 'native' }));
    put({ type: 'tool_calls', tool_calls: pending }, 0);
    for (const [index, { id, tool, args }] of all.entries()) {
      const { text = 'ok', data, status = 'success', took = 20 } = calls[index] ?? { tool };
      const result = { role: 'tool', tool_call_id: id, name: tool, content: text, status, data };
      put({ type: 'call_checked', id, tool, arguments: args, effect: 'read_only' }, 0);
      put({ type: 'call_started', id, tool }, 0);
      const elapsed_ms = took;
      put({ type: 'call_finished', id, tool, status, message: result, elapsed_ms }, took);
    }
  }
  round += 1;
  put({ type: 'round_started', of: 50, tool_choice: 'auto' });
  const usage = { prompt_tokens: 200, completion_tokens: 20 };
  put({ type: 'reply', message: { role: 'assistant', content: answer }, finish: 'stop', usage }, 60);
  put({ type: 'done', response: answer, tool_calls: [], finish_reason: 'stop', usage });
  return events;
}

/** A call that ended as one of the real results did. */
export function sample(name: string): MadeCall {
  const file = new URL(`../results/${name}.json`, import.meta.url);
  const { tool, args, text = '', data, status } = JSON.parse(readFileSync(file, 'utf8'));
  return { tool, args, text, data, status };
}

/** The events as a file that the page opens. */
export function asFile(events: readonly Event[]) {
  const buffer = Buffer.from(JSON.stringify({ toolwright: 2, events }));
  return { name: 'made.json', mimeType: 'application/json', buffer };
}
