import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { deprecatedUse } from '../../../src/graph/operations/deprecated-use.ts';

const schema = buildSchema(`
  enum Kind { NEW OLD @deprecated }
  input Inner { kind: Kind, plain: Int }
  input Filter { name: String, former: String @deprecated, inner: [Inner!] }
  type Item { id: ID!, label: String @deprecated, parent: Item }
  type Query {
    item(id: ID!, former: Boolean @deprecated): Item
    items(filter: Filter, kind: Kind): [Item!]!
    gone: Int @deprecated
  }
`);

const useOf = (text: string, variables = {}, name?: string) =>
  [...deprecatedUse(schema, parse(text), name, variables)].sort();

describe('what an operation uses that is deprecated', () => {
  it.each([
    ['a field', '{ gone }', ['Query.gone']],
    [
      'a field in a fragment',
      '{ item(id: 1) { parent { ...f } } } fragment f on Item { label }',
      ['Item.label'],
    ],
    ['an argument', '{ item(id: 1, former: true) { id } }', ['Query.item(former:)']],
    ['a member of an input', '{ items(filter: { former: "a" }) { id } }', ['Filter.former']],
    ['a value of an enum', '{ items(kind: OLD) { id } }', ['Kind.OLD']],
    ['a value in an input', '{ items(filter: { inner: [{ kind: OLD }] }) { id } }', ['Kind.OLD']],
    ['several, each once', '{ gone again: gone items { label } }', ['Item.label', 'Query.gone']],
    ['nothing', '{ item(id: 1) { id } items(filter: { name: "a", inner: [{ kind: NEW }] }) { id } }', []],
  ])('is named: %s', (_, text, used) => {
    expect(useOf(text)).toEqual(used);
  });

  it('is named in variables, at any depth and in lists', () => {
    const text = 'query ($filter: Filter, $kind: Kind) { items(filter: $filter, kind: $kind) { id } }';
    expect(useOf(text, { filter: { inner: [{ plain: 1 }, { kind: 'OLD' }] } })).toEqual(['Kind.OLD']);
    expect(useOf(text, { filter: { former: null } })).toEqual(['Filter.former']);
    expect(useOf(text, { kind: 'OLD' })).toEqual(['Kind.OLD']);
    expect(useOf(text, { filter: { name: 'a' }, kind: 'NEW' })).toEqual([]);
    expect(useOf(text)).toEqual([]);
  });

  it('is that of the operation that runs', () => {
    const text = 'query A { gone } query B { item(id: 1) { ...f } } fragment f on Item { label }';
    expect(useOf(text, {}, 'A')).toEqual(['Query.gone']);
    expect(useOf(text, {}, 'B')).toEqual(['Item.label']);
  });

  it('may be asked for a document again, with other variables', () => {
    const document = parse('query ($kind: Kind) { items(kind: $kind) { id } }');
    expect(deprecatedUse(schema, document, undefined, { kind: 'OLD' })).toEqual(['Kind.OLD']);
    expect(deprecatedUse(schema, document, undefined, { kind: 'NEW' })).toEqual([]);
  });
});
