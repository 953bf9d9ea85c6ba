/**
 * `formula`: TeX as MathML. Loaded with the first formula there is.
 *
 * A model wrote it: no links, pictures or classes (`trust`), and bounds on its length, on what macros
 * may become and on sizes. What is not understood is undefined, and is shown as it was written.
 */

import temml from 'temml';

/** A formula that is longer is no formula. */
const LONGEST = 4_000;
/** How large the markup of one may be. */
const LARGEST = 100_000;
/** An attribute: in words, quotes are escaped. */
const STYLE = / style="[^"]*"/g;

export function formula(tex: string, displayMode: boolean): string | undefined {
  if (tex.length > LONGEST) return undefined;
  try {
    const options = { trust: false, throwOnError: true, maxExpand: 200, maxSize: bounds };
    const html = temml.renderToString(tex, { displayMode, ...options });
    // Styles are not shown, and the page's own rules forbid even to read them: the browser would complain of each.
    return html.length > LARGEST ? undefined : html.replace(STYLE, '');
  } catch {
    // Not TeX, or more nested than the stack is deep.
    return undefined;
  }
}

/** The largest width and height that a formula may ask for, in em. */
const bounds: [number, number] = [20, 20];
