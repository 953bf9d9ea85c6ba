/** `Problem`: something that did not work, in words for the reader. */

import { ApiError, Unreachable } from '../api/client';

export interface Problem {
  message: string;
  advice?: string;
  code: string;
  /** Trying again would not help. */
  final?: boolean;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    return { message: error.message, advice: error.advice, code: error.code };
  }
  if (error instanceof Unreachable) {
    return {
      message: 'The server cannot be reached.',
      advice: 'Check that it still runs, then try again.',
      code: 'unreachable',
    };
  }
  return { message: error instanceof Error ? error.message : String(error), code: 'internal' };
}
