/**
 * `Follow`: whether a reader is at the end of something that grows, and is kept there.
 *
 * Growth is not scrolling. What is fast grows between the moment in which the box is moved and the
 * one in which the browser tells so; only a way up is the reader's.
 */

/** Within this many pixels of the end, a reader who comes back follows again. */
const NEAR = 64;
/** Browsers round places to fractions of a pixel. */
const EXACT = 2;

type Box = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

export class Follow {
  on = $state(true);
  /** Where the box was when this last looked. */
  private top = 0;

  constructor(private readonly box: () => Box | undefined) {}

  /** The box was moved, by whomever. */
  scrolled(): void {
    const box = this.box();
    if (!box) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    // What became shorter moves the box up, too, and leaves it at its very end.
    if (box.scrollTop < this.top) this.on = left < EXACT;
    else if (left < NEAR) this.on = true;
    this.top = box.scrollTop;
  }

  /** What is shown grew. */
  grown(): void {
    if (this.on) this.toEnd();
  }

  toEnd(): void {
    const box = this.box();
    this.on = true;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    this.top = box.scrollTop;
  }
}
