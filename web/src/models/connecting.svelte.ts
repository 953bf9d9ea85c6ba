/** `Connecting`: a model that is about to be connected: what was filled in, tested and saved. */

import {
  models,
  type ChosenModel,
  type Connection,
  type ModelLine,
  type ProviderLine,
  type TestReport,
} from '../api/models';
import { problemOf, type Problem } from '../state/problem';
import { nameFor } from './abilities';

/** Any OpenAI-compatible endpoint. */
export const OTHER = '';

export class Connecting {
  /** A known provider, or [`OTHER`]. */
  provider = $state('openai');
  address = $state('');
  /** Sent to the server and kept nowhere in the browser. */
  key = $state('');
  model = $state('');
  /** The providers that are saved. */
  saved = $state.raw<readonly ProviderLine[]>([]);
  /** The models at the endpoint, once they were asked for. */
  listed = $state.raw<ModelLine[]>([]);
  report = $state.raw<TestReport>();
  problem = $state.raw<Problem>();
  busy = $state<'' | 'list' | 'test' | 'save'>('');
  /** Counts what was changed: an answer to what was filled in before is not shown. */
  private edition = 0;

  readonly connection = $derived.by((): Connection => {
    const address = this.address.trim();
    const provider = this.provider === OTHER ? nameFor(address, this.saved) : this.provider;
    return {
      provider,
      ...(address === '' ? {} : { base_url: address }),
      ...(this.key.trim() === '' ? {} : { api_key: this.key.trim() }),
      ...(this.model.trim() === '' ? {} : { model: this.model.trim() }),
    };
  });

  readonly complete = $derived(
    this.connection.provider !== '' &&
      this.connection.model !== undefined &&
      (this.provider !== OTHER || this.connection.base_url !== undefined),
  );

  /** Something was filled in: what was found out before says nothing about it. */
  changed(): void {
    this.edition += 1;
    this.report = undefined;
    this.problem = undefined;
  }

  /** It is somewhere else: what is there is not known. */
  moved(): void {
    this.listed = [];
    this.changed();
  }

  choose(provider: string, address = '', model = ''): void {
    this.provider = provider;
    this.address = address;
    this.model = model;
    this.key = '';
    this.moved();
  }

  async list(): Promise<void> {
    const { model: _model, ...where } = this.connection;
    await this.doing('list', async (isCurrent) => {
      const found = await models.list(where);
      if (!isCurrent()) return;
      this.listed = found.models;
      if (found.problem !== undefined) {
        this.problem = { code: 'model', message: found.problem, advice: found.advice };
      }
    });
  }

  async test(): Promise<void> {
    await this.doing('test', async (isCurrent) => {
      const report = await models.test(this.connection);
      if (isCurrent()) this.report = report;
    });
  }

  /** Saves it, to answer from now on; what then does. */
  async save(): Promise<ChosenModel | undefined> {
    let chosen: ChosenModel | undefined;
    await this.doing('save', async () => {
      chosen = await models.save(this.connection);
      this.key = '';
    });
    return chosen;
  }

  private async doing(
    what: 'list' | 'test' | 'save',
    act: (isCurrent: () => boolean) => Promise<void>,
  ): Promise<void> {
    this.changed();
    const { edition } = this;
    const isCurrent = () => edition === this.edition;
    this.busy = what;
    try {
      await act(isCurrent);
    } catch (error) {
      if (isCurrent()) this.problem = problemOf(error);
    } finally {
      this.busy = '';
    }
  }
}
