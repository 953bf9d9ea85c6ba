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

export function providerName(provider: string): string {
  return names[provider] ?? provider;
}

/** A name for a provider at an address, as the config file can have it: `models.example.com` is `models-example-com`. */
export function nameFor(address: string): string {
  let host: string;
  try {
    host = new URL(address).host;
  } catch {
    return '';
  }
  const name = host.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return Object.hasOwn(names, name) || name === 'offline' || name === 'dapr' ? `my-${name}` : name;
}
