import { describe, expect, it } from 'vitest';
import type { QuestionField } from '../events/types';
import { contentOf, initial, isSafe } from './answer';

const fields: QuestionField[] = [
  { name: 'note', type: 'text' },
  { name: 'guests', type: 'integer', default: 2 },
  { name: 'budget', type: 'number' },
  { name: 'quiet', type: 'boolean', default: true },
  { name: 'place', type: 'choice', options: [{ value: 'in' }, { value: 'out' }] },
  {
    name: 'extras',
    type: 'multiple_choice',
    options: [{ value: 'cake' }, { value: 'music' }],
    default: ['music'],
  },
  { name: '__proto__', type: 'text', default: 'x' },
];

describe('a form', () => {
  it('begins with what stands there, and says so', () => {
    const content = contentOf(fields, initial(fields));
    expect(Object.entries(content)).toEqual([
      ['note', null],
      ['guests', 2],
      ['budget', null],
      ['quiet', true],
      ['place', null],
      ['extras', ['music']],
      ['__proto__', 'x'],
    ]);
  });

  it('says what was filled in, and what was left empty', () => {
    const filled = initial(fields);
    filled.splice(0, 4, ' as typed ', null, '12.5', false);
    filled[5] = ['music', 'cake', 'something else'];
    const content = contentOf(fields, filled);
    expect(content).toMatchObject({
      guests: null,
      budget: 12.5,
      note: ' as typed ',
      extras: ['cake', 'music'],
      quiet: false,
    });
  });
});

it('links only to plain addresses', () => {
  expect(isSafe('https://example.com/a?b#c')).toBe(true);
  expect(isSafe('HTTPS://example.com')).toBe(true);
  for (const url of [
    'http://example.com/',
    'javascript:alert(1)',
    'https://bank.example@evil.example/',
    'https://bank.example\\@evil.example/',
    ' https://example.com/',
    'https:///x',
    'data:text/html,x',
  ]) {
    expect(isSafe(url), url).toBe(false);
  }
});
