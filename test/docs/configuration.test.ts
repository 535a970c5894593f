import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/config/config.ts';
import { environment } from '../../src/config/environment.ts';
import { blocksIn, textOf } from './blocks.ts';

/** The variables of an object, or of an intersection of objects. */
const variablesOf = (schema: z.core.$ZodType): [string, z.core.$ZodType][] =>
  schema instanceof z.ZodIntersection
    ? [...variablesOf(schema.def.left), ...variablesOf(schema.def.right)]
    : Object.entries((schema as z.ZodObject).shape);

function defaultOf(type: z.core.$ZodType): unknown {
  if (type instanceof z.ZodDefault) return type.def.defaultValue;
  return type instanceof z.ZodPipe ? defaultOf(type.def.in) : undefined;
}

const VARIABLES = new Map(variablesOf(environment).reverse());

/** The rows of the tables: the names in the first cell, and the default in the second. */
const ROWS: { names: string[]; value: string }[] = textOf('docs/configuration.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | '))
  .map(([names = '', value = '']) => ({ names: names.match(/[A-Z][A-Z0-9_]+/g) ?? [], value }));

describe('docs/configuration.md', () => {
  it('describes each variable of the server once, and no others', () => {
    expect(ROWS.flatMap(({ names }) => names).sort()).toEqual([...VARIABLES.keys()].sort());
  });

  it.each(
    [...VARIABLES].map(([name, type]) => [name, defaultOf(type)]),
  )('has the default of %s: %s', (name, value) => {
    const row = ROWS.find(({ names }) => names.includes(String(name)));
    if (value === undefined) expect(row?.value).not.toMatch(/^`/);
    else expect(row?.value).toBe(`\`${value}\``);
  });

  it('begins with the ten that a newcomer needs', () => {
    const [, basics = ''] = textOf('docs/configuration.md').split('\n## ');
    expect(basics.match(/^\| `/gm)).toHaveLength(10);
  });

  it.each(blocksIn('ini'))('%s is a configuration that the server accepts', (_, { text }) => {
    const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
    const env: Record<string, string> = Object.fromEntries(settings);
    expect(readConfig(env).publicUrl).toBe(env.PUBLIC_URL);
  });
});
