/** `models`: what can answer, and connecting it. A key is only ever sent; no answer has one in it. */

import { json } from './client';

/** A model, and what is known of it. */
export interface ModelLine {
  /** As a question names it. */
  name: string;
  window?: number;
  max_output?: number;
  /** For a million tokens. */
  input_price?: number;
  output_price?: number;
  tools?: boolean;
  images?: boolean;
  pdf?: boolean;
}

export interface ProviderLine {
  name: string;
  base_url: string;
  api: string;
  key: 'variable' | 'file' | 'none';
  key_variable?: string;
  answers: boolean;
  /** Whether questions may name its models. */
  offered: boolean;
  models: ModelLine[];
  problem?: string;
  advice?: string;
}

export interface FoundServer {
  provider: string;
  base_url: string;
  version?: string;
  models: ModelLine[];
}

export interface KnownProvider {
  name: string;
  base_url: string;
  /** The variables that hold its key; none where it wants none. */
  keys: string[];
}

export interface ModelOffer {
  /** What answers, and behind it what answers where it gives no reply. */
  answers: ModelLine[];
  set_by: 'flag' | 'variable' | 'file' | 'project' | 'default';
  set_by_name?: string;
  built_in: { name: string; about: string; fetched: boolean }[];
  providers: ProviderLine[];
  found: FoundServer[];
  known: KnownProvider[];
}

/** A model that somebody wants to connect. */
export interface Connection {
  provider: string;
  base_url?: string;
  api_key?: string;
  model?: string;
}

export interface TestStep {
  step: 'address' | 'key' | 'model' | 'answer' | 'tools';
  outcome: 'passed' | 'failed' | 'skipped';
  says?: string;
  advice?: string;
  elapsed_ms?: number;
}

export interface TestReport {
  name: string;
  steps: TestStep[];
  answers: boolean;
  models: string[];
}

export interface ChosenModel {
  model: string;
  /** What says otherwise than what was saved. */
  beaten_by?: string;
  /** The variable whose key is used in the place of the saved one. */
  key_from?: string;
}

export const models = {
  offer: () => json<ModelOffer>('GET', '/api/models'),
  test: (connection: Connection) => json<TestReport>('POST', '/api/models/test', connection),
  list: (connection: Connection) =>
    json<{ models: ModelLine[]; problem?: string; advice?: string }>(
      'POST',
      '/api/models/list',
      connection,
    ),
  choose: (names: string[]) => json<ChosenModel>('PUT', '/api/models/default', { models: names }),
  save: ({ provider, ...rest }: Connection) =>
    json<ChosenModel>('PUT', `/api/models/providers/${encodeURIComponent(provider)}`, rest),
  forget: (provider: string) =>
    json<ChosenModel>('DELETE', `/api/models/providers/${encodeURIComponent(provider)}`),
};
