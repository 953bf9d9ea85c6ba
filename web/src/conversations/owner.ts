/** `ownerName`: whose a conversation is, in words. */

import { t } from '../i18n/text.svelte';
import { visibleLine } from '../parts/visible';

/** What an owner is called: a person by name, and a token as one. */
export function ownerName(owner: string): string {
  const [kind, name] = /^(user|token):(.*)$/s.exec(owner)?.slice(1) ?? ['', owner];
  const shown = visibleLine(name ?? owner);
  return kind === 'token' ? t('token {name}', { name: shown }) : shown;
}
