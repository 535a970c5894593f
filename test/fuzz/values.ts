import fc, { type Arbitrary } from 'fast-check';
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { Schema } from '../../src/lib/openapi.ts';
import { description } from '../support/description.ts';

/** Texts that cause errors in databases, parsers, headers, searches or file systems. */
const TEXTS = [
  '',
  ' ',
  'x',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\ufeff',
  'e\u0301',
  '\u00e9',
  '\u202egnp.exe',
  '\u{1f600}'.repeat(64),
  'x'.repeat(256),
  '\u0007\u001b[31m',
  'a\r\nSet-Cookie: x=1',
  '%',
  '_%\\',
  "'; DROP TABLE users; --",
  'a & | ! ( ) : * <-> "b',
  '"unclosed phrase -',
  'tag: "',
  '((((((((((a))))))))))',
  '(a+)+$',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '-000001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-03-04T09:15:27.402118Z',
  '2147483648',
  '1e308',
  '#3366cc',
  'a@b.example',
  `${'e'.repeat(300)}@b.example`,
  'end',
  'eyJ2Ijox',
  'WzEsMl0',
  'WyIiLCIiXQ',
  'true',
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  25,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
];

export const text: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

const number: Arbitrary<number> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.integer({ min: -3, max: 130 }),
  fc.double({ noNaN: true }),
);

const proto = fc.constantFrom(
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
);

const anything: Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
  proto,
);

/** Mostly a value of the arbitrary, and rarely any other value. */
const mostly = <Value>(valid: Arbitrary<Value>): Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: valid }, { weight: 1, arbitrary: anything });

const sensibleName = fc.constantFrom('Name', 'Other name', 'X');

/** Ids for an argument with this name. */
export type Ids = (name: string) => Arbitrary<string>;

/** Texts for arguments named like ids are mostly existing ids. */
const textFor = (name: string, ids: Ids): Arbitrary<string> =>
  /ids?$/i.test(name)
    ? fc.oneof({ weight: 12, arbitrary: ids(name) }, { weight: 1, arbitrary: text })
    : fc.oneof({ weight: 2, arbitrary: text }, { weight: 3, arbitrary: sensibleName });

/** Values that a schema of the OpenAPI description accepts, and rarely others. */
export function fromSchema(schema: Schema, ids: Ids, name = '', depth = 0): Arbitrary<unknown> {
  const named = schema.$ref?.split('/').at(-1);
  if (named) return fromSchema(description.components.schemas[named] as Schema, ids, name, depth);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, ids, name, depth)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => mostly(ofType(type, schema, ids, name, depth))));
}

function ofType(
  type: string,
  { properties, required = [], items, additionalProperties }: Schema,
  ids: Ids,
  name: string,
  depth: number,
): Arbitrary<unknown> {
  if (type === 'string') return textFor(name, ids);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return number;
  if (type === 'null' || depth > 4) return fc.constant(null);
  if (type === 'array') return fc.array(fromSchema(items ?? {}, ids, name, depth + 1), { maxLength: 3 });
  if (!properties)
    return fc.dictionary(
      text,
      additionalProperties ? fromSchema(additionalProperties, ids, name, depth + 1) : anything,
      {
        maxKeys: 3,
      },
    );
  const members = Object.entries(properties).map(([member, each]) => [
    member,
    fromSchema(each, ids, member, depth + 1),
  ]);
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] });
}

const SCALARS: Record<string, Arbitrary<unknown>> = {
  Int: fc.oneof(fc.integer({ min: -1, max: 10 }), number),
  Float: number,
  Boolean: fc.boolean(),
  BigInt: number,
  DateTime: fc.oneof(
    text,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
};

/** Values that an input type of GraphQL accepts, and rarely others. */
export function fromInput(type: GraphQLInputType, ids: Ids, name = ''): Arbitrary<unknown> {
  if (isNonNullType(type)) return mostly(ofInput(type.ofType, ids, name));
  return fc.option(mostly(ofInput(type, ids, name)), { freq: 4 });
}

function ofInput(type: GraphQLInputType, ids: Ids, name: string): Arbitrary<unknown> {
  if (isListType(type)) return fc.array(fromInput(type.ofType, ids, name), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((each) => each.name), 'NONE');
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const members = fields.map((field) => [field.name, fromInput(field.type, ids, field.name)]);
    const requiredKeys = fields.filter((field) => isNonNullType(field.type)).map((field) => field.name);
    return fc.record(Object.fromEntries(members), { requiredKeys: requiredKeys as never[] });
  }
  return String(type) === 'ID' ? textFor(name || 'id', ids) : (SCALARS[String(type)] ?? textFor(name, ids));
}

/** A valid value with at most two random members. */
export const varied = (sound: unknown, members: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> =>
  fc
    .subarray(Object.keys(members), { maxLength: Math.min(2, Object.keys(members).length) })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, members[name] as Arbitrary<unknown>]))),
    )
    .map((some) =>
      Array.isArray(sound)
        ? [{ ...sound[0], ...some }, ...sound.slice(1)]
        : { ...(sound as object), ...some },
    );
