import type { Schema } from '../../lib/openapi.ts';
import type { Shape, TypeText } from '../shape/shape.ts';
import { AREAS, RECORDS } from './areas.ts';
import type { Meanings } from './contract/contract.ts';
import { MEANINGS } from './contract/meanings.ts';
import { DECLARED_RECORDS } from './records.ts';

const records: Record<string, Shape> = Object.assign(
  {},
  DECLARED_RECORDS,
  ...RECORDS.map(({ shapes }) => shapes),
);
const inputs: Record<string, Shape> = Object.assign({}, ...AREAS.map((area) => area.inputs));
const meanings: Meanings = Object.assign({}, MEANINGS, ...RECORDS.map((each) => each.meanings));

const ZERO_TIME = '0001-01-01T00:00:00Z';

const SCALARS: Record<string, { schema: Schema; zero: unknown }> = {
  string: { schema: { type: 'string' }, zero: '' },
  time: { schema: { type: 'string', format: 'date-time' }, zero: ZERO_TIME },
  integer: { schema: { type: 'integer' }, zero: 0 },
  number: { schema: { type: 'number' }, zero: 0 },
  boolean: { schema: { type: 'boolean' }, zero: false },
};

/** Splits a type text into the type and its description. */
export function splitTypeText(short: TypeText): { type: string; meaning: string } {
  const space = short.indexOf(' ');
  return space < 0
    ? { type: short, meaning: '' }
    : { type: short.slice(0, space), meaning: short.slice(space + 1) };
}

export function typeSchema(type: string): Schema {
  if (type.includes('|')) return { anyOf: type.split('|').map(typeSchema) };
  if (type.endsWith('?')) return orNull(typeSchema(type.slice(0, -1)));
  if (type.endsWith('[]')) return { type: 'array', items: typeSchema(type.slice(0, -2)) };
  if (type.startsWith('{')) return { type: 'object', additionalProperties: typeSchema(type.slice(1, -1)) };
  return SCALARS[type]?.schema ?? { $ref: `#/components/schemas/${type}` };
}

const orNull = (schema: Schema): Schema =>
  typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

const LOWER = /^(.+)Lower$/;

function meaningOf(name: string): string {
  const [, base] = LOWER.exec(name) ?? [];
  return meanings[name]?.[0] ?? (base ? `${base} in lower case.` : '');
}

/** The schema of a shape. Throws for an unknown name. */
export function shapeSchema(name: string): Schema {
  const input = inputs[name];
  const shape = input ?? records[name];
  if (!shape) throw new Error(`The contract has no shape ${name}.`);
  const members = Object.entries(shape.members).map(([member, short]) => ({
    member,
    ...splitTypeText(short),
  }));
  const required = members.filter(({ type }) => !input || type.endsWith('!')).map(({ member }) => member);
  return {
    type: 'object',
    description: shape.about,
    properties: Object.fromEntries(
      members.map(({ member, type, meaning }) => [
        member,
        { ...typeSchema(input ? inputType(type) : type), description: meaning || meaningOf(member) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    examples: [exampleOf(name)],
  };
}

/** A required member is not null; an optional one may be. */
const inputType = (type: string) => (type.endsWith('!') ? type.slice(0, -1) : `${type}?`);

/** A value of the type, as an example; a list has one item. */
export function exampleOf(type: string): unknown {
  const [first = type] = type.replace(/\?$/, '').split('|');
  if (first.endsWith('[]')) return [exampleOf(first.slice(0, -2))];
  return inputs[first] ? (inputs[first].example ?? {}) : zeroOf(first);
}

function zeroOf(type: string): unknown {
  if (type.endsWith('?')) return zeroOf(type.slice(0, -1));
  if (type.endsWith('[]')) return [];
  if (type.startsWith('{')) return {};
  if (SCALARS[type]) return SCALARS[type].zero;
  const shape = records[type];
  return shape && record(shape);
}

function record({ members, example = {} }: Shape): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, short] of Object.entries(members)) {
    const [, base = ''] = LOWER.exec(name) ?? [];
    const sample = name in example ? example[name] : meanings[name]?.[1];
    const lower = typeof value[base] === 'string' ? value[base].toLowerCase() : undefined;
    value[name] = sample !== undefined ? sample : (lower ?? zeroOf(splitTypeText(short).type));
  }
  return value;
}
