import { expect, it } from 'vitest';
import type { Json } from '../events/types';
import { keyArgument } from './argument';

it.each<[Json, string]>([
  [{ limit: 5, path: 'src/main.rs' }, 'src/main.rs'],
  [{ description: 'Lists files', command: 'ls -la' }, 'ls -la'],
  [{ query: 'NIFTY', limit: 5 }, 'NIFTY'],
  [{ exchange_segment: 'NSE_EQ', security_id: 1333 }, '1333'],
  [{ amount: 50, percentage: 20 }, ''],
  [{ something: 'else', more: 'text' }, 'else'],
  [{ path: '', command: 'make' }, 'make'],
  [{ command: 'a\n\n  b' }, 'a b'],
  [{ query: 'x'.repeat(500) }, 'x'.repeat(60)],
  [{ path: { deep: 'no text' } }, ''],
  [['a'], ''],
  [null, ''],
  ['text', ''],
])('of %j is %j', (args, expected) => {
  expect(keyArgument(args)).toBe(expected);
});
