/**
 * `Anchor`: keeps what a link led to where the reader is looking, while what is above it is drawn.
 *
 * A turn that nobody looked at has a size that is guessed, and those above the target are drawn once they come
 * near. So the target is put into its place with every change of size, until the reader does something.
 */

/** Something that can be brought into sight. */
type Target = Pick<Element, 'scrollIntoView'>;

export class Anchor {
  private target: (() => Target | null) | undefined;

  /** Brings this into sight, and keeps it there. It is looked up each time: a drawing takes a sketch's place. */
  hold(target: () => Target | null): void {
    this.target = target;
    this.settle();
  }

  /** Something changed its size. Whether anything is kept in its place. */
  settle(): boolean {
    this.target?.()?.scrollIntoView({ block: 'start' });
    return this.target !== undefined;
  }

  /** Whatever the reader does, wherever on the page, ends it. */
  readonly watch = (element: Element): (() => void) => {
    const listen = new AbortController();
    for (const kind of ['wheel', 'pointerdown', 'touchstart', 'keydown']) {
      const options = { signal: listen.signal, passive: true, capture: true };
      element.ownerDocument.addEventListener(kind, () => this.release(), options);
    }
    return () => listen.abort();
  };

  /** The reader goes on by themselves. */
  release(): void {
    this.target = undefined;
  }
}
