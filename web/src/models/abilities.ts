/** `abilities`: what a model can do, in a few words. */

import type { ModelLine } from '../api/models';
import { t } from '../i18n/text.svelte';

/** What is known of a model, for people. Of what nobody knows nothing is said. */
export function abilities(model: ModelLine): string[] {
  const said: string[] = [];
  if (model.window !== undefined)
    said.push(t('{count} k tokens', { count: thousands(model.window) }));
  if (model.tools === true) said.push(t('tools'));
  if (model.tools === false) said.push(t('no tools'));
  if (model.images === true) said.push(t('pictures'));
  if (model.pdf === true) said.push(t('PDFs'));
  if (model.input_price !== undefined && model.output_price !== undefined) {
    said.push(
      t('{input} / {output} per million tokens', {
        input: String(model.input_price),
        output: String(model.output_price),
      }),
    );
  }
  return said;
}

function thousands(tokens: number): number {
  return Math.max(1, Math.round(tokens / 1000));
}

/** The names of known providers, as their vendors write them. */
const names: Record<string, string> = {
  openai: 'OpenAI',
  'openai-chat': 'OpenAI (Chat Completions)',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  ollama: 'Ollama',
  'ollama-cloud': 'Ollama Cloud',
  openrouter: 'OpenRouter',
  groq: 'Groq',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  xai: 'xAI',
  moonshot: 'Moonshot',
  zai: 'Z.ai',
  minimax: 'MiniMax',
  qwen: 'Qwen',
  together: 'Together',
  fireworks: 'Fireworks',
  cerebras: 'Cerebras',
  nvidia: 'NVIDIA',
  huggingface: 'Hugging Face',
  github: 'GitHub Models',
  perplexity: 'Perplexity',
  lmstudio: 'LM Studio',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
};

/** The providers that can be chosen before the server said which it knows. */
export const providers: readonly string[] = Object.keys(names);

export function providerName(provider: string): string {
  return names[provider] ?? provider;
}

/** The longest name that is made, with room for a number behind it. */
const LONGEST = 56;

function isTaken(name: string): boolean {
  return Object.hasOwn(names, name) || name === 'offline' || name === 'dapr';
}

/**
 * A name for a provider at an address, as the config file can have it: `models.example.com/v1` is `models-example-com`.
 * One that is saved keeps its name, and lends it to no other address: saving that would overwrite it.
 */
export function nameFor(
  address: string,
  saved: readonly { name: string; base_url: string }[] = [],
): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return '';
  }
  const same = (other: string) => other.replace(/\/+$/, '') === address.trim().replace(/\/+$/, '');
  const here = saved.find((it) => same(it.base_url) && !isTaken(it.name));
  if (here) return here.name;
  const path = url.pathname.split('/').filter((it) => !/^v\d+\w*$/.test(it));
  const words = [url.host, ...path].join('-').replace(/[^A-Za-z0-9]+/g, '-');
  const name = words.replace(/^-+/, '').slice(0, LONGEST).replace(/-+$/, '');
  const first = isTaken(name) ? `my-${name}` : name;
  let free = first;
  for (let number = 2; saved.some((it) => it.name === free); number += 1) {
    free = `${first}-${number}`;
  }
  return free;
}
