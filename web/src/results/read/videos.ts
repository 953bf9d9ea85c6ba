/** `Videos`, `Channel` and `Statistics`: what somebody watched. */

import { all, fields, isFields, list, number, text } from './fields';
import { instant } from './moments';

export interface Video {
  readonly title: string;
  readonly channel?: string;
  readonly seconds?: number;
  readonly watched?: Date;
  readonly watches?: number;
  /** From 0 to 1, where somebody searched. */
  readonly relevance?: number;
  /** Where it is; only on YouTube. */
  readonly url?: string;
}

export interface Videos {
  readonly kind: 'videos';
  readonly videos: readonly Video[];
}

export interface Channel {
  readonly kind: 'channel';
  readonly name: string;
  readonly videos?: number;
  readonly watches?: number;
  readonly seconds?: number;
  readonly average?: number;
  readonly recent: readonly Video[];
}

export interface Statistics {
  readonly kind: 'statistics';
  readonly videos: number;
  readonly channels?: number;
  readonly watches?: number;
  readonly seconds?: number;
  readonly average?: number;
  readonly oldest?: Date;
  readonly newest?: Date;
  /** Of how many videos the length is known. */
  readonly measured?: number;
  /** The channels watched most, and how many of their videos. */
  readonly top: readonly (readonly [string, number])[];
}

export function readVideos(data: unknown): Videos | undefined {
  const it = fields(data);
  if (!Array.isArray(it['videos'])) return undefined;
  const videos = readList(it);
  if (videos.length < it['videos'].length) return undefined;
  return { kind: 'videos', videos };
}

export function readChannel(data: unknown): Channel | undefined {
  const it = fields(data);
  const channel = fields(it['channel']);
  const name = text(channel['name']);
  if (name === undefined) return undefined;
  return {
    kind: 'channel',
    name,
    videos: number(channel['videos']),
    watches: number(channel['watches']),
    seconds: number(channel['seconds']),
    average: number(channel['average']),
    recent: readList(it),
  };
}

export function readStatistics(data: unknown): Statistics | undefined {
  const it = fields(fields(data)['statistics']);
  const videos = number(it['videos']);
  if (videos === undefined) return undefined;
  return {
    kind: 'statistics',
    videos,
    channels: number(it['channels']),
    watches: number(it['watches']),
    seconds: number(it['seconds']),
    average: number(it['average']),
    oldest: instant(it['oldest']),
    newest: instant(it['newest']),
    measured: number(it['with_length']),
    top: all(it['top'], readTop),
  };
}

/** The videos of a sample lead nowhere, whatever their address says. */
function readList(data: Readonly<Record<string, unknown>>): Video[] {
  const videos = all(data['videos'], readVideo);
  return data['sample'] === true ? videos.map(({ url: _, ...video }) => video) : videos;
}

function readVideo(data: unknown): Video | undefined {
  if (!isFields(data)) return undefined;
  const name = text(data['title']) ?? text(data['id']);
  if (name === undefined || !('watched' in data || 'seconds' in data)) return undefined;
  const relevance = number(data['relevance']);
  return {
    title: name,
    channel: text(data['channel']),
    seconds: number(data['seconds']),
    watched: instant(data['watched']),
    watches: number(data['watches']),
    relevance: relevance === undefined ? undefined : Math.min(1, Math.max(0, relevance)),
    url: onYouTube(text(data['url'])),
  };
}

function readTop(data: unknown): readonly [string, number] | undefined {
  const [channel, amount] = list(data);
  const [name, videos] = [text(fields(channel)['name']), number(amount)];
  return name === undefined || videos === undefined ? undefined : [name, videos];
}

/** An address, if it is one of a video on YouTube: whoever clicks it expects to get there. */
function onYouTube(url: string | undefined): string | undefined {
  return url !== undefined && /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{1,32}$/.test(url)
    ? url
    : undefined;
}
