/** `asCurl`: a round's request as a command, in OpenAI's form, without anybody's key. */

import type { AnyMessage, ToolChoice } from './types';

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly AnyMessage[];
  /** What the model was offered, where that is known. */
  readonly tools: readonly unknown[];
  readonly toolChoice: ToolChoice;
}

/** A message as a provider reads it: without what is only ours. */
export function plain({ role, content, tool_calls, tool_call_id, attachments }: AnyMessage) {
  const files = (attachments ?? []).map((it) => `[${it.name ?? it.media_type}]`);
  const text = [content ?? '', ...files].filter((it) => it !== '').join('\n');
  return {
    role,
    content: text === '' && tool_calls ? null : text,
    ...(tool_calls ? { tool_calls } : {}),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}

export function body({ model, messages, tools, toolChoice }: ModelRequest) {
  // `provider:name` is ours; the provider knows the name alone.
  const name = model.slice(model.indexOf(':') + 1);
  const choice =
    typeof toolChoice === 'string'
      ? toolChoice
      : { type: 'function', function: { name: toolChoice.tool } };
  const offered = tools.length > 0 ? { tools, tool_choice: choice } : {};
  return { model: name, messages: messages.map(plain), ...offered };
}

export function asCurl(request: ModelRequest): string {
  const json = JSON.stringify(body(request), undefined, 2);
  return [
    'curl "$OPENAI_API_BASE/chat/completions" \\',
    '  -H "Authorization: Bearer $OPENAI_API_KEY" -H "Content-Type: application/json" \\',
    // Strings have no line breaks in JSON: no line of it is this word alone.
    "  --data-binary @- <<'END_OF_REQUEST'",
    json,
    'END_OF_REQUEST',
    '',
  ].join('\n');
}
