/**
 * `gestures`: what a mouse does to a span of time: Ctrl and the wheel zoom at the pointer, a pull moves it, two
 * presses show all of it. A finger scrolls, as everywhere.
 */

import type { Span } from './zoom';

export interface Moved {
  span(): Span;
  /** Whether there is anything beside what is seen. */
  isZoomed(): boolean;
  /** How wide the span is drawn, in pixels. */
  width(): number;
  zoom(by: 'in' | 'out', at: number): void;
  /** Moves a span by so many milliseconds. */
  pan(from: Span, by: number): void;
  reset(): void;
}

/** A press that moves less than this is a press. */
const PULLED = 4;

/** To be attached to what has the tracks in it. */
export function gestures(moved: Moved) {
  return (lanes: HTMLElement): (() => void) => {
    const listen = new AbortController();
    const { signal } = listen;
    zooming(lanes, moved, signal);
    pulling(lanes, moved, signal);
    lanes.addEventListener('dblclick', () => moved.reset(), { signal });
    return () => listen.abort();
  };
}

/** How many milliseconds so many pixels are. */
function msOf(pixels: number, span: Span, width: number): number {
  return (pixels / Math.max(1, width)) * (span.to - span.from);
}

function zooming(lanes: HTMLElement, moved: Moved, signal: AbortSignal): void {
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const span = moved.span();
    const edge = lanes.querySelector('.track')?.getBoundingClientRect().left ?? 0;
    const at = span.from + msOf(event.clientX - edge, span, moved.width());
    moved.zoom(event.deltaY < 0 ? 'in' : 'out', Math.min(Math.max(at, span.from), span.to));
  };
  lanes.addEventListener('wheel', wheel, { signal, passive: false });
}

function pulling(lanes: HTMLElement, moved: Moved, signal: AbortSignal): void {
  let state: 'none' | 'pressed' | 'pulled' = 'none';
  let begun = 0;
  let from = moved.span();
  const press = ({ button, pointerType, clientX }: PointerEvent) => {
    state = button === 0 && pointerType === 'mouse' && moved.isZoomed() ? 'pressed' : 'none';
    begun = clientX;
    from = moved.span();
  };
  const pull = (event: PointerEvent) => {
    const by = event.clientX - begun;
    if (state === 'none' || (state === 'pressed' && Math.abs(by) < PULLED)) return;
    if (event.buttons === 0) return void (state = 'none');
    if (state === 'pressed') lanes.setPointerCapture(event.pointerId);
    state = 'pulled';
    moved.pan(from, -msOf(by, from, moved.width()));
  };
  // The press that ends a pull chooses nothing.
  const click = (event: MouseEvent) => {
    if (state === 'pulled') event.stopPropagation();
    state = 'none';
  };
  lanes.addEventListener('pointerdown', press, { signal });
  lanes.addEventListener('pointermove', pull, { signal });
  lanes.addEventListener('pointercancel', () => (state = 'none'), { signal });
  lanes.addEventListener('click', click, { signal, capture: true });
}
