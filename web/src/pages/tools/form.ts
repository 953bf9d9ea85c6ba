/**
 * `formOf`: a form from a JSON Schema. The schema is somebody else's: references that go round, depth, and lists
 * without end are bounded, and what is not understood is a field of JSON, so that every call can be written.
 */

import type { Json } from '../../events/types';
import { t } from '../../i18n/text.svelte';

interface Common {
  readonly label: string;
  readonly about: string;
  readonly required: boolean;
  readonly fallback: Json | undefined;
}

export type Field = Common &
  (
    | { readonly kind: 'text'; readonly long: boolean }
    | {
        readonly kind: 'number';
        readonly whole: boolean;
        readonly least: number | undefined;
        readonly most: number | undefined;
      }
    | { readonly kind: 'switch' }
    | { readonly kind: 'choice'; readonly choices: readonly Json[] }
    | { readonly kind: 'list'; readonly item: Field }
    | { readonly kind: 'group'; readonly fields: readonly (readonly [string, Field])[] }
    | { readonly kind: 'json' }
  );

/** How deep fields stand in each other, how many there are in all, and among how many one chooses. */
const DEPTH = 5;
const FIELDS = 200;
const CHOICES = 200;
/** How many references lead to one another. */
const HOPS = 8;
const LONG = 200;

type Fields = { readonly [key: string]: Json };

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Reads one schema, and knows what may still be read. */
class Reader {
  private left = FIELDS;

  constructor(private readonly root: Json) {}

  field(schema: Json | undefined, name: string, required: boolean, depth: number): Field {
    this.left -= 1;
    const said = this.resolved(schema);
    const common = {
      label: text(said?.['title']) || name,
      about: text(said?.['description']),
      required,
      fallback: said?.['default'],
    };
    if (said === undefined || this.left < 0) return { ...common, kind: 'json' };
    return { ...common, ...this.kind(said, depth) } as Field;
  }

  private kind(schema: Fields, depth: number): { kind: Field['kind'] } & Partial<Field> {
    const choices = schema['enum'] ?? ('const' in schema ? [schema['const'] as Json] : undefined);
    if (Array.isArray(choices) && choices.length > 0 && choices.length <= CHOICES)
      return { kind: 'choice', choices };
    switch (this.type(schema)) {
      case 'string':
        return { kind: 'text', long: (number(schema['maxLength']) ?? LONG) > LONG };
      case 'integer':
      case 'number': {
        const [least, most] = [number(schema['minimum']), number(schema['maximum'])];
        return { kind: 'number', whole: this.type(schema) === 'integer', least, most };
      }
      case 'boolean':
        return { kind: 'switch' };
      case 'array':
        if (depth >= DEPTH || !isFields(schema['items'])) return { kind: 'json' };
        return { kind: 'list', item: this.field(schema['items'], '', true, depth + 1) };
      case 'object':
        return this.group(schema, depth);
      default:
        return { kind: 'json' };
    }
  }

  private group(schema: Fields, depth: number): { kind: Field['kind'] } & Partial<Field> {
    const properties = schema['properties'];
    if (depth >= DEPTH || !isFields(properties)) return { kind: 'json' };
    const names = Object.keys(properties);
    if (names.length > this.left) return { kind: 'json' };
    const needed = Array.isArray(schema['required']) ? schema['required'] : [];
    const fields = names.map(
      (name) =>
        [name, this.field(properties[name], name, needed.includes(name), depth + 1)] as const,
    );
    return { kind: 'group', fields };
  }

  /** Its type, where it has one; `null` besides another only means that it may be left out. */
  private type(schema: Fields): string | undefined {
    const said = schema['type'];
    const types = (Array.isArray(said) ? said : [said]).filter((it) => it !== 'null');
    if (types.length === 1) return text(types[0]);
    return said === undefined && isFields(schema['properties']) ? 'object' : undefined;
  }

  /** What is meant, behind references and where one of two is `null`. */
  private resolved(schema: Json | undefined): Fields | undefined {
    let said = schema;
    for (let hop = 0; hop < HOPS; hop += 1) {
      if (!isFields(said)) return undefined;
      const next = this.next(said);
      if (next === undefined) return said;
      if (!isFields(next)) return undefined;
      // What stands beside a reference goes over what it leads to.
      const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...beside } = said;
      said = { ...next, ...beside };
    }
    return undefined;
  }

  private next(schema: Fields): Json | undefined {
    if (typeof schema['$ref'] === 'string') return this.at(schema['$ref']) ?? null;
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const among = schema[key];
      if (!Array.isArray(among)) continue;
      const real = among.filter((it) => !(isFields(it) && it['type'] === 'null'));
      // Which of several is meant, a form cannot know.
      return real.length === 1 ? real[0] : null;
    }
    return undefined;
  }

  /** What a reference within the schema leads to. */
  private at(pointer: string): Json | undefined {
    if (!pointer.startsWith('#')) return undefined;
    let place: Json | undefined = this.root;
    for (const part of pointer.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isFields(place) || !Object.hasOwn(place, key)) return undefined;
      place = place[key];
    }
    return place;
  }
}

/** The form of what a tool takes. */
export function formOf(schema: Json): Field {
  const form = new Reader(schema).field(schema, '', true, 0);
  const isBare = isFields(schema) && schema['type'] === 'object' && !isFields(schema['properties']);
  return isBare ? { ...form, kind: 'group', fields: [] } : form;
}

/** Whether a field can show a value, so that nothing is sent that nobody sees. */
function fits(field: Field, value: Json): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return field.choices.some((it) => JSON.stringify(it) === JSON.stringify(value));
    case 'list':
      return Array.isArray(value) && value.every((it) => fits(field.item, it));
    case 'group': {
      if (!isFields(value)) return false;
      const fields = new Map(field.fields);
      return Object.entries(value).every(([name, it]) => {
        const shown = fields.get(name);
        return shown !== undefined && fits(shown, it);
      });
    }
    default:
      return true;
  }
}

/** What stands in a field before anybody wrote something. */
export function initial(field: Field): Json | undefined {
  const { fallback } = field;
  if (fallback !== undefined && fallback !== null && fits(field, fallback)) return fallback;
  if (field.kind === 'group') {
    if (!field.required) return undefined;
    const parts = field.fields.map(([name, it]) => [name, initial(it)] as const);
    return Object.fromEntries(parts.filter(([, it]) => it !== undefined)) as Json;
  }
  if (field.kind === 'choice' && field.required && field.choices.length === 1)
    return field.choices[0];
  return field.kind === 'switch' && field.required ? false : undefined;
}

/** A choice, for people. */
export function choiceText(choice: Json): string {
  return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

/** The same object with one of its values set, or left out. */
export function put(value: Json | undefined, name: string, next: Json | undefined): Json {
  const others = isFields(value) ? Object.entries(value).filter(([key]) => key !== name) : [];
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]) as Json;
}

/** A part of an object. */
export function part(value: Json | undefined, name: string): Json | undefined {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The names of what is required and missing, as a person reads them. The server checks the rest. */
export function missing(field: Field, value: Json | undefined): string[] {
  if (value === undefined) return field.required ? [field.label] : [];
  if (field.kind === 'group')
    return field.fields.flatMap(([name, it]) => missing(it, part(value, name)));
  if (field.kind === 'list' && Array.isArray(value))
    return value.flatMap((it) => missing(field.item, it));
  return [];
}

export type Read = { ok: true; value: Json } | { ok: false; error: string };

/** What was written as JSON: arguments are an object. */
export function read(written: string): Read {
  try {
    const value = JSON.parse(written.trim() === '' ? '{}' : written) as Json;
    if (isFields(value)) return { ok: true, value };
    return { ok: false, error: t('Arguments are an object: {braces}', { braces: '{ … }' }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { ok: false, error: t('This is no JSON: {reason}', { reason }) };
  }
}
