import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sql, sql } from '../../../src/db/sql/sql.ts';
import { testDatabase } from '../../support/database.ts';

const pieces: readonly (readonly string[])[] = [
  [''],
  ['a'],
  ['b', ''],
  ['', 'c'],
  ['', ' ', ''],
  ['d', 'e', 'f'],
];

/** Statements of the same few pieces, put together in all ways. */
const { statement } = fc.letrec<{ statement: Sql; value: unknown }>((tie) => ({
  value: fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }) },
    { weight: 3, arbitrary: tie('statement') },
  ),
  statement: fc
    .constantFrom(...pieces)
    .chain((strings) =>
      fc
        .array(tie('value'), { minLength: strings.length - 1, maxLength: strings.length - 1 })
        .map((values) => new Sql(strings, values)),
    ),
}));

/** Each value stands for itself, so that what is written can be put together again. */
function spelled({ strings, values }: Sql): string {
  return strings.reduce((text, after, index) => {
    const value = values[index - 1];
    return `${text}${value instanceof Sql ? spelled(value) : `<${value}>`}${after}`;
  });
}

const filledIn = ({ text, values }: { text: string; values: unknown[] }) =>
  text.replace(/\$(\d+)/g, (_, index: string) => `<${values[Number(index) - 1]}>`);

describe('a statement', () => {
  it('renders its nested pieces in order, independently of statements rendered before', () => {
    fc.assert(
      fc.property(statement, (each) => {
        expect(filledIn(each.render())).toBe(spelled(each));
      }),
      { numRuns: 3_000 },
    );
  });

  it('with the same pieces in other positions has another text', () => {
    const inner = sql`(${1}, ${2})`;
    const outer = (first: unknown, second: unknown) => sql`${first} ${second}`;
    expect(outer(inner, 3).render()).toEqual({ text: '($1, $2) $3', values: [1, 2, 3] });
    expect(outer(3, inner).render()).toEqual({ text: '$1 ($2, $3)', values: [3, 1, 2] });
  });

  it('is rendered once, and cached for all values', () => {
    const of = (value: number) =>
      sql`SELECT ${value} WHERE ${sql.join([sql`a = ${value}`, sql`b`], ' AND ')}`;
    const { text, values } = of(2).render();
    expect([text, values]).toEqual(['SELECT $1 WHERE a = $2 AND b', [2, 2]]);
    expect(Object.is(of(1).render().text, text)).toBe(true);
  });

  it('renders at any length', () => {
    const numbers = Array.from({ length: 70 }, (_, index) => index);
    const { text, values } = sql`SELECT ${sql.join(numbers)}, ${sql.texts(['x'])}`.render();
    expect(text).toBe(`SELECT ${numbers.map((index) => `$${index + 1}`).join()}, ARRAY[$71::text]`);
    expect(values).toEqual([...numbers, 'x']);
    expect(() => sql.join([])).toThrow('Nothing to join.');
  });

  it('joins the given conditions with AND, and omits WHERE without any', () => {
    const where = (...conditions: Parameters<typeof sql.all>[0]) =>
      sql`WHERE ${sql.all(conditions)}`.render();
    expect(where(sql`a`, null, false, sql`b = ${1}`, undefined, '')).toEqual({
      text: 'WHERE a AND b = $1',
      values: [1],
    });
    expect(where(null).text).toBe('WHERE true');
  });

  it('includes raw text unchanged, and nothing for an empty piece', () => {
    const joined = sql`SELECT ${sql.join([1, 2], ' ,')} ${sql.raw('2 ,')} ${sql.raw('2,')}`;
    expect(joined.render().text).toBe('SELECT $1 ,$2 2 , 2,');
    expect(sql`SELECT ${sql.raw('a.b')}${sql.empty}`.render()).toEqual({ text: 'SELECT a.b', values: [] });
  });

  it('renders correctly when the cache is full', () => {
    for (let index = 0; index < 30_000; index++)
      expect(sql`SELECT ${sql.raw(`a${index}`)}, ${index}`.render().text).toBe(`SELECT a${index}, $1`);
  });
});

describe('ids', () => {
  it('are rendered as the id if there is one, and other arrays are unchanged', () => {
    const statement = sql`SELECT ${sql.texts(['x'])}, a.id ${sql.any(['y'])}, a.id ${sql.any(['y', 'z'])}, a.id = ANY(${['q']}), ${sql.texts([])}`;
    expect(statement.render()).toEqual({
      text: 'SELECT ARRAY[$1::text], a.id = $2, a.id = ANY($3), a.id = ANY($4), $5::text[]',
      values: ['x', 'y', ['y', 'z'], ['q'], []],
    });
  });

  it('have one text for one id, and another for several', () => {
    const of = (ids: string[], others: string[]) =>
      sql`a.id ${sql.any(ids)} AND b.id ${sql.any(others)}`.render().text;
    expect([of(['x'], ['y', 'z']), of(['x', 'y'], ['z']), of(['x'], ['y'])]).toEqual([
      'a.id = $1 AND b.id = ANY($2)',
      'a.id = ANY($1) AND b.id = $2',
      'a.id = $1 AND b.id = $2',
    ]);
  });

  it('return the same rows as the array', async () => {
    const db = await testDatabase();
    const read = (ids: (string | null)[]) =>
      db.query(sql`SELECT count(*) FROM unnest(ARRAY['a', 'b']) a(id) WHERE a.id ${sql.any(ids)}`);
    expect(await read(['a'])).toEqual([{ count: 1n }]);
    expect(await read(['a', 'b'])).toEqual([{ count: 2n }]);
    expect(await read([null])).toEqual([{ count: 0n }]);
    const [row] = await db.query(
      sql`SELECT ${sql.texts(['x'])} || ARRAY['y'] AS list, u.i FROM unnest(${sql.texts(['z'])}) WITH ORDINALITY AS u(v, i)`,
    );
    expect(row).toEqual({ list: ['x', 'y'], i: 1n });
  });
});
