/** `Problem`: something that did not work, in words for the reader. */

import { ApiError, Unreachable } from '../api/client';
import { t } from '../i18n/text.svelte';
import { visible } from '../parts/visible';

export interface Problem {
  message: string;
  advice?: string;
  code: string;
  /** Trying again would not help. */
  final?: boolean;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    const advice = error.advice === undefined ? undefined : visible(error.advice);
    return { message: visible(error.message), advice, code: error.code };
  }
  if (error instanceof Unreachable) {
    return {
      message: t('The server cannot be reached.'),
      advice: t('Check that it still runs, then try again.'),
      code: 'unreachable',
    };
  }
  return { message: error instanceof Error ? error.message : String(error), code: 'internal' };
}
