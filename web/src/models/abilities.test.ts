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

  it('is another for another address, and stays that of the same', () => {
    const team = (name: string) => `https://gateway.example/${name}/v1`;
    expect(nameFor(team('a'))).toBe('gateway-example-a');
    expect(nameFor(team('b'))).toBe('gateway-example-b');
    const saved = [
      { name: 'x-y-example', base_url: 'https://x.y.example/v1' },
      { name: 'x-y-example-2', base_url: 'https://x_y.example/v1' },
      { name: 'openai', base_url: 'https://proxy.example/v1' },
      { name: 'mine', base_url: 'https://models.example/v1/' },
    ];
    expect(nameFor('https://x-y.example/v1', saved)).toBe('x-y-example-3');
    expect(nameFor('https://x.y.example/v1/', saved)).toBe('x-y-example');
    expect(nameFor('https://models.example/v1', saved)).toBe('mine');
    expect(nameFor('https://proxy.example/v1', saved)).toBe('proxy-example');
    expect(nameFor(`https://models.example/${'long/'.repeat(50)}v1`).length).toBeLessThanOrEqual(
      56,
    );
  });
});
