/** `policyWords`: what holds for the calls of a tool, in sentences. */

import type { Policy, Tool } from '../../api/client';
import { t, tn } from '../../i18n/text.svelte';

/** How its calls are treated, a line each. */
export function policyWords(policy: Policy): string[] {
  const { timeout, idle_timeout: idle, retry, breaker, cache, rate = {}, redact = [] } = policy;
  const lines: string[] = [];
  if (timeout !== undefined) lines.push(t('A call may take {time}.', { time: timeout }));
  if (idle !== undefined)
    lines.push(t('It may go {time} without saying how far it is.', { time: idle }));
  if (retry !== undefined && retry.attempts > 1)
    lines.push(
      t('A failure that may pass is tried again, up to {attempts} attempts.', {
        attempts: retry.attempts,
      }),
    );
  if (breaker !== undefined)
    lines.push(
      t('When {share}% of its calls fail it is left alone for {time}.', {
        share: Math.round(breaker.failures * 100),
        time: breaker.cooldown,
      }),
    );
  if (cache !== undefined && cache.entries > 0)
    lines.push(t('An answer serves for the same question for {time}.', { time: cache.ttl }));
  if (rate.per_run !== undefined)
    lines.push(tn(rate.per_run, '{count} call in one run.', '{count} calls in one run.'));
  if (rate.calls !== undefined)
    lines.push(
      tn(rate.calls, '{count} call within {time}.', '{count} calls within {time}.', {
        time: rate.period ?? '1s',
      }),
    );
  if (rate.max_concurrent !== undefined)
    lines.push(
      tn(rate.max_concurrent, '{count} call at a time.', '{count} calls at the same time.'),
    );
  if (redact.length > 0)
    lines.push(
      t('Nobody sees these fields of its results: {names}.', { names: redact.join(', ') }),
    );
  return lines;
}

/** What running a tool does, in words that everybody knows. */
export function effectWords(effect: string): string {
  switch (effect) {
    case 'read_only':
      return t('reads only');
    case 'idempotent':
      return t('changes something, the same each time');
    case 'write':
      return t('changes something');
    case 'destructive':
      return t('asks before it runs');
    default:
      return effect;
  }
}

/** Whether anybody is asked before it runs. */
export function approvalWords({ effect, rules }: Tool): string {
  if (effect !== 'destructive')
    return t('It runs without a question, unless a call needs somebody to look at it.');
  if (rules.length === 0) return t('You are asked before each call.');
  return t('You are asked before each call that no rule below decides about.');
}

/** Where a tool comes from. */
export function originWords({ origin, source = '', pack = '' }: Tool): string {
  switch (origin) {
    case 'mcp':
      return t('MCP server {name}', { name: source });
    case 'openapi':
      return t('API {name}', { name: source });
    case 'commands':
      return t('Program {name}', { name: source });
    case 'agents':
      return t('Agent {name}', { name: source });
    case 'skills':
      return t('Skills');
    default:
      return pack === '' ? t('Toolwright’s own') : t('Pack {name}', { name: pack });
  }
}
