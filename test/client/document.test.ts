import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, print as printByGraphql, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { kindOf, textOf } from '../../packages/client/src/graph/document.ts';

const rest = fileURLToPath(new URL('../../src/rest', import.meta.url));
const operations = readdirSync(rest, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => [file, readFileSync(`${rest}/${file}`, 'utf8')] as const);

/** The text as graphql-js writes it, without block strings. */
const normalized = (text: string) =>
  printByGraphql(visit(parse(text), { StringValue: (node) => ({ ...node, block: false }) }));

describe('the text of a parsed document', () => {
  it.each(operations)('is the same operation: %s', (_, text) => {
    expect(normalized(textOf(parse(text)))).toBe(normalized(text));
  });

  it.each([
    '{ a }',
    'query Q($a: [Int!]! = [1, -2], $b: T = {c: "x", d: [ENUM, null, true]} @d(e: 1.5e3)) @x { f(a: $a, b: $b) @skip(if: false) }',
    'mutation { f(text: "a\\"b\\\\ \\u2028 \\n ✓") { id } }',
    'mutation { f(text: """block "text" \\""" here""") { id } }',
    'query { ...F ... on A @x { b } ... @include(if: true) { c } } fragment F on A @y { d: e }',
    'subscription S { f { g } }',
  ])('is the same operation: %s', (text) => {
    expect(normalized(textOf(parse(text, { noLocation: true })))).toBe(normalized(text));
  });

  it('is refused for definitions of types', () => {
    expect(() => textOf(parse('type A { b: Int }'))).toThrow(
      'A ObjectTypeDefinition cannot be part of an operation.',
    );
  });
});

describe('the kind of a document', () => {
  it.each([
    ['query', '{ a }'],
    ['query', 'query mutation { a }'],
    ['query', 'query Q($mutation: Int) { mutation(mutation: $mutation) }'],
    ['query', 'query @mutation { a }'],
    ['query', '# mutation { }\nquery { a(text: "mutation {", b: """mutation""") }'],
    ['query', 'fragment mutation on mutation { a } query { ...mutation }'],
    ['mutation', 'mutation { a }'],
    ['mutation', 'query A { a } mutation B { b }'],
    ['mutation', 'fragment F on A { query } mutation($query: Int) { b }'],
    ['subscription', 'subscription S { query }'],
  ])('is %s: %s', (kind, text) => {
    expect(kindOf(text)).toBe(kind);
  });
});
