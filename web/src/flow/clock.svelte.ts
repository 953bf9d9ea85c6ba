/** `Clock`: the time now, for what is shown while it goes on. It stands still where nothing does. */
export class Clock {
  now = $state(Date.now());

  /** Ticks while `going` says so. To be called while a component is set up. */
  constructor(going: () => boolean) {
    $effect(() => {
      if (!going()) return;
      this.now = Date.now();
      const timer = setInterval(() => (this.now = Date.now()), 200);
      return () => clearInterval(timer);
    });
  }
}
