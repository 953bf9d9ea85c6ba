import { describe, expect, it } from 'vitest';
import { abilities, nameFor } from './abilities';

describe('abilities', () => {
  it('says what is known and nothing else', () => {
    expect(abilities({ name: 'a' })).toEqual([]);
    expect(
      abilities({ name: 'a', window: 131_072, tools: true, images: true, pdf: false }),
    ).toEqual(['131 k tokens', 'tools', 'pictures']);
    expect(abilities({ name: 'a', input_price: 2, output_price: 10, tools: false })).toEqual([
      'no tools',
      '2 / 10 per million tokens',
    ]);
  });
});

describe('nameFor', () => {
  it('makes a name that a config file can have', () => {
    expect(nameFor('https://models.example.com/v1')).toBe('models-example-com');
    expect(nameFor('http://127.0.0.1:8000/v1')).toBe('127-0-0-1-8000');
    expect(nameFor('http://[::1]:8000/v1')).toBe('1-8000');
    expect(nameFor('http://ollama/')).toBe('my-ollama');
    expect(nameFor('http://offline/')).toBe('my-offline');
    expect(nameFor('no address')).toBe('');
  });
});
