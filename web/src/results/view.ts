/**
 * `View`: how a result is shown, chosen by the shape of its data. A tool's name only decides what a
 * plain text may be read as: any tool could write lines that look like a list of files.
 */

import { t } from '../i18n/text.svelte';
import {
  readFunds,
  readHoldings,
  readPositions,
  type Funds,
  type Holdings,
  type Positions,
} from './read/account';
import {
  readMessage,
  readNotes,
  readTip,
  readWeather,
  type Message,
  type Notes,
  type Tip,
  type Weather,
} from './read/cards';
import { readDiff, type Diff } from './read/diff';
import { fields } from './read/fields';
import {
  readHits,
  readSource,
  readTree,
  readWritten,
  type Hits,
  type Source,
  type Tree,
} from './read/files';
import {
  readChain,
  readExpiries,
  readInstruments,
  type Chain,
  type Expiries,
  type Instruments,
} from './read/instruments';
import { readCandles, readQuotes, type Candles, type Quotes } from './read/prices';
import { readShell, type Shell } from './read/shell';
import {
  readChannel,
  readStatistics,
  readVideos,
  type Channel,
  type Statistics,
  type Videos,
} from './read/videos';

export type View =
  | Candles
  | Quotes
  | Instruments
  | Chain
  | Expiries
  | Positions
  | Holdings
  | Funds
  | Videos
  | Channel
  | Statistics
  | Source
  | Hits
  | Tree
  | Diff
  | Shell
  | Weather
  | Tip
  | Notes
  | Message;

/** A result, as far as a view is concerned. */
export interface Shown {
  readonly tool: string;
  readonly args?: unknown;
  readonly data?: unknown;
  readonly text?: string;
}

/** How a result is shown; nothing where its text says it best. */
export function view({ tool, args, data, text = '' }: Shown): View | undefined {
  const value = data ?? parsed(text);
  const said = typeof value === 'string' ? value : text;
  return ofData(tool, args, value) ?? ofText(tool, args, said);
}

/** Whether there is a view of this result. */
export function hasView(tool: string, data: unknown, text = '', args: unknown = {}): boolean {
  return view({ tool, args, data, text }) !== undefined;
}

/** What the data is not, in a word or two: it was made up, or is somebody else's. */
export function caveat(data: unknown, text = ''): string | undefined {
  const { simulated, sample } = fields(data ?? parsed(text));
  if (simulated === true) return t('Simulated data');
  return sample === true ? t('Sample history') : undefined;
}

function ofData(tool: string, args: unknown, data: unknown): View | undefined {
  return (
    readCandles(data) ??
    readQuotes(data) ??
    readChain(data) ??
    readExpiries(data) ??
    readPositions(data) ??
    readHoldings(data) ??
    readFunds(data) ??
    readInstruments(data) ??
    readChannel(data) ??
    readStatistics(data) ??
    readVideos(data) ??
    readTip(args, data) ??
    readNotes(tool, data, '') ??
    readMessage(data)
  );
}

function ofText(tool: string, args: unknown, text: string): View | undefined {
  switch (tool) {
    case 'bash':
      return readShell(args, text);
    case 'show':
      return readSource(args, text);
    case 'search':
      return readHits(args, text);
    case 'list':
      return readTree(text);
    case 'write':
      return readDiff(text) ?? readWritten(args, text);
    default:
      return readWeather(text) ?? readNotes(tool, undefined, text) ?? readDiff(text);
  }
}

/** Data that came as text: a result that is JSON is not sent twice. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
