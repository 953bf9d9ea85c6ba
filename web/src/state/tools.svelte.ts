/** `Tools`: the tools that a task has, as the server told last. One count for everybody who tells one. */

import { api, type Tool, type ToolsOfTask } from '../api/client';
import type { Chat } from './chat.svelte';

export class Tools {
  /** Undefined while nobody knows. */
  told = $state.raw<ToolsOfTask>();
  readonly list = $derived<readonly Tool[] | undefined>(this.told?.tools);
  private task: string | undefined;

  /** Asks for those of a task, once. */
  async load(task: string): Promise<void> {
    if (task === this.task) return;
    this.task = task;
    this.told = undefined;
    try {
      const found = await api.tools(task);
      if (task === this.task) this.told = found;
    } catch {
      // The page works without; whoever asks next asks again.
      if (task === this.task) this.task = undefined;
    }
  }

  /** What somebody heard meanwhile about a task. */
  heard(task: string, told: ToolsOfTask): void {
    if (task === this.task) this.told = told;
  }

  /** Those that a conversation has for its next question. */
  on(chat: Chat): readonly Tool[] {
    return (this.list ?? []).filter((tool) => !chat.toolsOff.includes(tool.name));
  }
}

export const tools = new Tools();

/** A tool as a model is told of it, in OpenAI's form. */
export function definition({ name, description, parameters }: Tool) {
  return { type: 'function', function: { name, description, parameters } };
}
