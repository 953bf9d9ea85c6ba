import { expect, it } from 'vitest';
import { Follow } from './follow.svelte';

/** A box as browsers have it: it cannot be moved beyond its end. */
function box(height: number) {
  let top = 0;
  let whole = height;
  return {
    clientHeight: 100,
    get scrollHeight() {
      return whole;
    },
    set scrollHeight(to: number) {
      whole = to;
      top = Math.min(top, whole - 100);
    },
    get scrollTop() {
      return top;
    },
    set scrollTop(to: number) {
      top = Math.max(0, Math.min(to, whole - 100));
    },
  };
}

it('goes on where much arrives before the browser tells that the box was moved', () => {
  const it = box(1_000);
  const follow = new Follow(() => it);
  follow.grown();
  it.scrollHeight = 3_000;
  follow.scrolled();
  expect(follow.on).toBe(true);
  follow.grown();
  expect(it.scrollTop).toBe(2_900);
});

it('ends with the smallest way up, and begins again at the end', () => {
  const it = box(1_000);
  const follow = new Follow(() => it);
  follow.grown();
  it.scrollTop -= 10;
  follow.scrolled();
  it.scrollHeight = 2_000;
  follow.grown();
  expect(it.scrollTop).toBe(890);
  it.scrollTop = 1_500;
  follow.scrolled();
  expect(follow.on).toBe(false);
  it.scrollTop = 1_880;
  follow.scrolled();
  expect(follow.on).toBe(true);
});

it('goes on where what is shown becomes shorter', () => {
  const it = box(1_000);
  const follow = new Follow(() => it);
  follow.grown();
  it.scrollHeight = 500;
  follow.scrolled();
  expect(follow.on).toBe(true);
});
