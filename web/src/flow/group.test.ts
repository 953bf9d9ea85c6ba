import { expect, it } from 'vitest';
import { kept, log } from '../../tests/logs/read';
import type { Call } from '../events/model';
import { callsOf } from '../events/read';
import { fold } from '../events/reducer';
import type { Status } from '../events/types';
import { spanMs, worst } from './group';

const [made] = fold(kept(log('parallel'))).turns.flatMap(callsOf);
if (!made?.result) throw new Error('there is no call');
const { result } = made;

function ended(status: Status): Call {
  return { ...made!, result: { ...result, status } };
}

it('stands as the call that most needs looking at, and says how many do', () => {
  expect(worst([ended('success'), ended('success')])).toMatchObject({ tone: 'ok', word: 'ok' });
  const mixed = [ended('success'), ended('error'), ended('cancelled'), ended('error')];
  expect(worst(mixed)).toMatchObject({ tone: 'bad', word: '2 failed' });
});

it('takes from its first start to its last end, and no time while one goes on', () => {
  const early = { ...made, startedAt: 1_000, finishedAt: 1_500 };
  const late = { ...made, startedAt: 1_200, finishedAt: 3_000 };
  expect(spanMs([late, early])).toBe(2_000);
  expect(spanMs([early, { ...late, finishedAt: undefined }])).toBeUndefined();
});
