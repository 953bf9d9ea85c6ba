/**
 * `key`: what this page sends along to be known, besides its cookie. A browser shows a host's
 * cookies to whoever listens at any of its ports; what a page keeps is for its own port alone.
 */

const NAME = 'toolwright-key';
/** For as long as the page is open, where the browser keeps nothing. */
let held = '';

/** Why somebody who came back from where one signs in is not signed in. */
export type SignInProblem = 'stale' | 'failed' | 'not_allowed';
let problem: SignInProblem | undefined;

/** Why the sign-in that the browser comes back from failed, where it did. */
export function signInProblem(): SignInProblem | undefined {
  return problem;
}

/** Takes the key out of the address, where a link or a sign-in has just brought it. */
export function takeKey(): void {
  const refused = /^#sign-in=(stale|failed|not_allowed)$/.exec(location.hash)?.[1];
  if (refused !== undefined) {
    problem = refused as SignInProblem;
    history.replaceState(null, '', location.pathname);
    return;
  }
  const brought = /^#key=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (brought === undefined) return;
  held = brought;
  history.replaceState(null, '', location.pathname);
  try {
    localStorage.setItem(NAME, brought);
  } catch {
    // Then it is good until the page is closed.
  }
}

export function key(): string {
  try {
    return localStorage.getItem(NAME) ?? held;
  } catch {
    return held;
  }
}

export function dropKey(): void {
  held = '';
  try {
    localStorage.removeItem(NAME);
  } catch {
    // It was not kept either.
  }
}
