/** `Span`: the part of a run's time that is looked at, and how it is moved and made smaller. Pure. */

export interface Span {
  /** In ms since the run began. */
  readonly from: number;
  readonly to: number;
}

/** Less time than this is not looked at: clocks tell milliseconds. */
const SMALLEST = 1;

/** The span within a run of this length. */
export function within({ from, to }: Span, whole: number): Span {
  const length = Math.min(whole, Math.max(SMALLEST, to - from));
  const begin = Math.min(Math.max(0, from), Math.max(0, whole - length));
  return { from: begin, to: begin + length };
}

/** Shows `factor` times as much detail. The moment `at` stays where it is. */
export function zoomed(span: Span, whole: number, factor: number, at: number): Span {
  const length = Math.min(whole, Math.max(SMALLEST, (span.to - span.from) / factor));
  const share = (at - span.from) / Math.max(SMALLEST, span.to - span.from);
  const from = at - share * length;
  return within({ from, to: from + length }, whole);
}

export function panned(span: Span, whole: number, by: number): Span {
  return within({ from: span.from + by, to: span.to + by }, whole);
}

/** Whether all of the run is in it. */
export function isWhole(span: Span, whole: number): boolean {
  return span.from <= 0 && span.to >= whole;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Round moments in the span, at most so many. */
export function ticks({ from, to }: Span, most = 6): Tick[] {
  const step = roundStep((to - from) / most);
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index) * step;
    return { at, label: moment(at, step) };
  });
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.1)));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= least - 1e-9) ?? 10 * power;
}

/** A moment, told as exactly as its neighbours need it. */
export function moment(at: number, step: number): string {
  if (at === 0) return '0';
  if (at < 1_000 && step < 1_000) return `${Number(at.toFixed(1))} ms`;
  const digits = step >= 1_000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
  const seconds = at / 1_000;
  if (seconds < 120) return `${seconds.toFixed(digits)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - minutes * 60).toFixed(digits);
  return `${minutes}:${rest.padStart(digits > 0 ? digits + 3 : 2, '0')}`;
}
