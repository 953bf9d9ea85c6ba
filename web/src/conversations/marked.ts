/** `marked`: a text cut where words that were searched for stand in it. */

export interface Part {
  text: string;
  found: boolean;
}

export function marked(text: string, words: string): Part[] {
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return [{ text, found: false }];
  const pattern = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
    .map((part, index) => ({ text: part, found: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
