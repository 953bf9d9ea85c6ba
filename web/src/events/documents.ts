/**
 * `asHtml` and `asMarkdown`: a conversation as a file that somebody looks at elsewhere.
 *
 * What is in it was written by models and tools. In HTML it is data that only the viewer reads; the file
 * loads nothing, and runs nothing but the viewer (a nonce says which script that is).
 */

import { escape } from '../chat/escape';
import { t } from '../i18n/text.svelte';
import type { Call, Turn } from './model';
import { answer, callsOf, callState } from './read';

export interface Document {
  readonly title: string;
  /** What `/export` wrote. */
  readonly file: string;
  /** The viewer. */
  readonly script: string;
  readonly style: string;
}

export function asHtml({ title, file, script, style }: Document): string {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((it) => it.toString(16))
    .join('');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data: blob:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escape(title || 'Toolwright')}</title>`,
    // Neither sheet nor script has reason to speak of its own end.
    `<style nonce="${nonce}">${style.replaceAll('</', '<\\/')}</style>`,
    '</head>',
    '<body>',
    '<div id="app"></div>',
    `<noscript>${escape(t('This file needs JavaScript to be shown.'))}</noscript>`,
    `<script type="application/json" id="export">${file.replaceAll('<', '\\u003c')}</script>`,
    `<script nonce="${nonce}">${script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

export function asMarkdown(title: string, turns: readonly Turn[]): string {
  const head = title === '' ? [] : [`# ${oneLine(title)}`];
  return `${[...head, ...turns.map(inWords)].join('\n\n')}\n`;
}

function inWords(turn: Turn): string {
  const when = new Date(turn.startedAt).toISOString().replace('T', ' ').slice(0, 16);
  const files = turn.attachments.map(
    (it) => `*${t('Attached: {name}', { name: oneLine(it.name ?? it.media_type) })}*`,
  );
  const calls = callsOf(turn).map(calledInWords);
  const said = answer(turn);
  return [
    `## ${t('You, {when} UTC', { when })}`,
    quoted(turn.question),
    ...files,
    `## ${oneLine(turn.model || t('Model'))}`,
    ...(calls.length > 0 ? [calls.join('\n')] : []),
    ...(said === '' ? [] : [said]),
    ...(turn.error ? [`**${t('No answer:')}** ${oneLine(turn.error.message)}`] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function calledInWords(call: Call): string {
  const text = oneLine(JSON.stringify(call.arguments)).slice(0, 300);
  // A fence that is longer than any in it.
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([it]) => it.length)));
  return `- \`${call.tool}\` ${fence} ${text} ${fence}: ${callState(call)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** What a person wrote, line by line: it is no heading, whatever it begins with. */
function quoted(text: string): string {
  return text === '' ? '' : text.replaceAll(/^/gm, '> ');
}
