import { expect, it } from 'vitest';
import { format, parse } from './address';

it('is read as it was written', () => {
  for (const address of [
    { id: 'conv_1' },
    { id: 'conv_1', run: 'run_2' },
    { id: 'conv_1', run: 'run_2', call: 'call/3#%' },
    { id: '' },
  ]) {
    expect(parse(format(address))).toEqual(address);
  }
});

it('makes the best of what anybody wrote', () => {
  expect(parse('')).toEqual({ id: '' });
  expect(parse('#conv_1/')).toEqual({ id: 'conv_1' });
  expect(parse('#conv_1//call')).toEqual({ id: 'conv_1' });
  expect(parse('#conv_1/run_2/call/more')).toEqual({ id: 'conv_1', run: 'run_2', call: 'call' });
  expect(parse('#%zz/%')).toEqual({ id: '%zz', run: '%' });
});
