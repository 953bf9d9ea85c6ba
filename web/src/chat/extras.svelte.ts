/** `extras`: what only some texts need, loaded when the first of them is shown. */

export interface Extras {
  /** Source code with its parts marked, as HTML. */
  highlight?: (code: string, language: string) => string;
  /** TeX as MathML; undefined where it is not understood. */
  formula?: (tex: string, display: boolean) => string | undefined;
}

const sources = {
  highlight: async () => (await import('./highlight')).highlight,
  formula: async () => (await import('./formula')).formula,
};

class Loaded {
  now = $state.raw<Extras>({});
  private readonly asked = new Set<keyof Extras>();

  /** Loads one, once. A text is readable without: what could not be loaded is asked for again later. */
  async want(name: keyof Extras): Promise<void> {
    if (this.asked.has(name)) return;
    this.asked.add(name);
    try {
      const it = await sources[name]();
      this.now = { ...this.now, [name]: it };
    } catch {
      this.asked.delete(name);
    }
  }
}

export const extras = new Loaded();
