/** `Tools`: the tools that a task has, as the server told last. */

import { api, type Tool } from '../api/client';

export class Tools {
  /** Undefined while nobody knows. */
  list = $state.raw<readonly Tool[]>();
  private task: string | undefined;

  /** Asks for those of a task, once. */
  async load(task: string): Promise<void> {
    if (task === this.task) return;
    this.task = task;
    this.list = undefined;
    try {
      const found = await api.tools(task);
      if (task === this.task) this.list = found;
    } catch {
      // The page works without; whoever asks next asks again.
      if (task === this.task) this.task = undefined;
    }
  }
}

export const tools = new Tools();

/** A tool as a model is told of it, in OpenAI's form. */
export function definition({ name, description, parameters }: Tool) {
  return { type: 'function', function: { name, description, parameters } };
}
