import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { readChannel, readStatistics, readVideos } from './videos';

function data(name: string): Record<string, unknown> {
  const file = new URL(`../../../tests/results/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).data;
}

it('videos keep their order and their relevance', () => {
  const found = readVideos(data('videos-topic'))?.videos ?? [];
  expect(found.map(({ title, relevance }) => [title, relevance])).toEqual([
    ['Cooking Basics', 0.45],
    ['Weeknight Pasta in 20 Minutes', 0.45],
  ]);
  expect(found[0]?.watched).toEqual(new Date('2026-10-28T04:47:00Z'));
});

it('only real videos on YouTube can be clicked', () => {
  const url = (address: unknown, sample = false) =>
    readVideos({ sample, videos: [{ title: 't', seconds: 1, url: address }] })?.videos[0]?.url;
  const good = 'https://www.youtube.com/watch?v=abc123xyz45';
  expect(url(good)).toBe(good);
  expect(url(good, true)).toBeUndefined();
  for (const other of [
    'javascript:alert(1)',
    'http://www.youtube.com/watch?v=abc123xyz45',
    'https://www.youtube.com.example.com/watch?v=abc123xyz45',
    'https://www.youtube.com/watch?v=abc123xyz45&list=x',
    'https://www.youtube.com/redirect?q=https://example.com',
    7,
    null,
  ]) {
    expect(url(other), String(other)).toBeUndefined();
  }
});

it('relevance is a share', () => {
  const relevance = (given: unknown) =>
    readVideos({ videos: [{ title: 't', seconds: 1, relevance: given }] })?.videos[0]?.relevance;
  expect([relevance(9), relevance(-1), relevance('1'), relevance(0.5)]).toEqual([
    1,
    0,
    undefined,
    0.5,
  ]);
});

it('a list in which something is no video is no list of videos', () => {
  expect(readVideos({ videos: [{ title: 't', seconds: 1 }, { name: 'x' }] })).toBeUndefined();
  expect(readVideos({ videos: [] })?.videos).toEqual([]);
});

it('a history is told in figures', () => {
  const read = readStatistics(data('statistics'));
  expect(read).toMatchObject({
    videos: 96,
    channels: 24,
    watches: 150,
    measured: 93,
    oldest: new Date('2025-09-21T06:16:00Z'),
  });
  expect(read?.top[0]).toEqual(['Light and Lens', 4]);
  expect(read?.top).toHaveLength(5);
});

it('a channel comes with what was watched last', () => {
  const read = readChannel(data('channel'));
  expect(read).toMatchObject({ name: 'Tech Channel', videos: 4, watches: 8, seconds: 11754 });
  expect(read?.recent.map(({ title }) => title)).toEqual(['Python Tutorial']);
});
