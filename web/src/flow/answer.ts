/** `contentOf`: what a form says in answer to a tool's question. */

import type { Json, QuestionAnswer, QuestionField } from '../events/types';

/** Sends an answer. Rejects with an `Error` whose message can be shown. */
export type Answer = (
  callId: string,
  questionId: string,
  answer: QuestionAnswer,
) => void | Promise<void>;

/** What stands in a form, field by field: a number field that is empty holds nothing. */
export type Filled = (string | number | boolean | string[] | null | undefined)[];

/** What stands there at first. */
export function initial(fields: readonly QuestionField[]): Filled {
  return fields.map((field) => {
    if (field.type === 'boolean') return field.default ?? false;
    if (field.type === 'multiple_choice') return [...(field.default ?? [])];
    return field.default ?? '';
  });
}

/** What is sent: a field that was left empty is null, so that nothing else takes its place. */
export function contentOf(
  fields: readonly QuestionField[],
  filled: Filled,
): { [key: string]: Json } {
  const content: [string, Json][] = fields.map((field, at) => {
    const value = filled[at];
    if (field.type === 'multiple_choice') {
      // In the order in which they are shown.
      const chosen = Array.isArray(value) ? value : [];
      return [field.name, field.options.map((it) => it.value).filter((it) => chosen.includes(it))];
    }
    if (value === '' || value === undefined || value === null) return [field.name, null];
    if (field.type === 'number' || field.type === 'integer') return [field.name, Number(value)];
    return [field.name, value];
  });
  return Object.fromEntries(content);
}

/** Whether an address may become a link. The server takes no others, and a file may hold anything. */
export function isSafe(url: string): boolean {
  return /^https:\/\/[a-z0-9.:[\]-]+(?:[/?#]|$)/i.test(url);
}
