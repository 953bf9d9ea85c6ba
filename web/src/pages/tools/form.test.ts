import { describe, expect, it } from 'vitest';
import type { Json } from '../../events/types';
import { choiceText, formOf, initial, missing, part, put, read, type Field } from './form';

function fieldsOf(schema: Json): Record<string, Field> {
  const form = formOf(schema);
  if (form.kind !== 'group') throw new Error(form.kind);
  return Object.fromEntries(form.fields);
}

const object = (properties: Record<string, Json>, required: string[] = []): Json => ({
  type: 'object',
  properties,
  required,
});

describe('a form from a schema', () => {
  it('has a field for every kind of value', () => {
    const fields = fieldsOf(
      object(
        {
          name: { type: 'string', title: 'Name', description: 'Of whom' },
          story: { type: 'string', maxLength: 5000 },
          age: { type: 'integer', minimum: 0, maximum: 150 },
          share: { type: ['number', 'null'] },
          sure: { type: 'boolean', default: true },
          unit: { enum: ['c', 'f', 3, null] },
          tags: { type: 'array', items: { type: 'string' } },
          place: object({ city: { type: 'string' } }, ['city']),
          any: {},
          either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        },
        ['name'],
      ),
    );
    expect(Object.fromEntries(Object.entries(fields).map(([k, it]) => [k, it.kind]))).toEqual({
      name: 'text',
      story: 'text',
      age: 'number',
      share: 'number',
      sure: 'switch',
      unit: 'choice',
      tags: 'list',
      place: 'group',
      any: 'json',
      either: 'json',
      maybe: 'number',
    });
    expect(fields.name).toMatchObject({ label: 'Name', about: 'Of whom', required: true });
    expect(fields.story).toMatchObject({ long: true });
    expect(fields.age).toMatchObject({ whole: true, least: 0, most: 150 });
  });

  it('follows references, and what stands beside them', () => {
    const schema: Json = {
      type: 'object',
      $defs: { unit: { enum: ['c', 'f'], description: 'any' }, 'a/b': { type: 'integer' } },
      properties: {
        unit: { $ref: '#/$defs/unit', description: 'of the answer' },
        all: { allOf: [{ $ref: '#/$defs/a~1b' }] },
        gone: { $ref: '#/$defs/none' },
        away: { $ref: 'https://example.com/schema' },
      },
    };
    const fields = fieldsOf(schema);
    expect(fields.unit).toMatchObject({ kind: 'choice', about: 'of the answer' });
    expect(fields.all?.kind).toBe('number');
    expect([fields.gone?.kind, fields.away?.kind]).toEqual(['json', 'json']);
  });

  it('ends, whatever the schema says', () => {
    const round: Json = {
      type: 'object',
      properties: { a: { $ref: '#/properties/a' }, self: { $ref: '#' } },
    };
    const depthOf = (field: Field): number =>
      field.kind === 'group' ? 1 + Math.max(0, ...field.fields.map(([, it]) => depthOf(it))) : 1;
    expect(fieldsOf(round).a?.kind).toBe('json');
    expect(depthOf(formOf(round))).toBeLessThan(8);
    let deep: Json = { type: 'string' };
    for (let level = 0; level < 5000; level += 1) deep = object({ in: deep });
    expect(depthOf(formOf(deep))).toBeLessThan(8);
    // Each level twice as wide as the one above: 2^n fields without a bound.
    const wide: Json = {
      $defs: { w: object({ a: { $ref: '#/$defs/w' }, b: { $ref: '#/$defs/w' } }) },
      $ref: '#/$defs/w',
    };
    expect(depthOf(formOf(wide))).toBeLessThan(8);
    const names = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, {}]));
    expect(formOf(object(names)).kind).toBe('json');
    const huge = Array.from({ length: 100_000 }, (_, at) => `v${at}`);
    expect(fieldsOf(object({ one: { type: 'string', enum: huge } })).one?.kind).toBe('text');
  });

  it('takes no name of a schema for one of its own', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {}}') as Json;
    const form = formOf({ type: 'object', properties, required: ['__proto__'] });
    expect(form.kind === 'group' && form.fields.map(([name]) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(part({}, 'constructor')).toBeUndefined();
  });

  it('takes an object that names nothing for one without fields', () => {
    expect(formOf({ type: 'object' })).toMatchObject({ kind: 'group', fields: [] });
  });
});

describe('what is written into it', () => {
  const form = formOf(
    object(
      {
        name: { type: 'string' },
        tip: { type: 'number', default: 18 },
        sure: { type: 'boolean' },
        to: object({ city: { type: 'string', default: 'Berlin' }, zip: { type: 'string' } }, [
          'zip',
        ]),
      },
      ['name', 'sure', 'to'],
    ),
  );

  it('begins with what the schema says', () => {
    expect(initial(form)).toEqual({ tip: 18, sure: false, to: { city: 'Berlin' } });
  });

  it('begins with nothing that no field shows', () => {
    const odd = formOf(
      object({
        text: { type: ['string', 'null'], default: 5 },
        count: { type: 'integer', default: 'many' },
        sure: { type: 'boolean', default: 'yes' },
        unit: { enum: ['c', { of: 1 }], default: 'f' },
        tags: { type: 'array', items: { type: 'string' }, default: ['a', 1] },
        to: { ...(object({ city: { type: 'string' } }) as object), default: { zip: 1 } },
      }),
    );
    expect(initial(odd)).toEqual({});
    expect([choiceText('c'), choiceText({ of: 1 })]).toEqual(['c', '{"of":1}']);
  });

  it('is an object without what was left out', () => {
    expect(put({ a: 1 }, 'b', [2])).toEqual({ a: 1, b: [2] });
    expect(put({ a: 1, b: 2 }, 'b', undefined)).toEqual({ a: 1 });
    expect(put(undefined, 'a', 1)).toEqual({ a: 1 });
    expect(part({ a: { b: 1 } }, 'a')).toEqual({ b: 1 });
  });

  it('is not complete without what is required', () => {
    expect(missing(form, initial(form))).toEqual(['name', 'zip']);
    expect(missing(form, { name: 'x', sure: true, to: { zip: '1' } })).toEqual([]);
  });

  it('can be written as JSON instead', () => {
    expect(read(' {"a": 1} ')).toEqual({ ok: true, value: { a: 1 } });
    expect(read('')).toEqual({ ok: true, value: {} });
    for (const wrong of ['[1]', '"a"', '{', 'null']) expect(read(wrong).ok).toBe(false);
  });
});
