import { type Sql, sql } from '../../db/sql/sql.ts';

/**
 * A condition: the column, which has the collation "C", starts with the prefix. Unlike LIKE, a range uses an index also in
 * a generic plan, which is planned without the prefix.
 */
export function startsWith(column: Sql, prefix: string): Sql {
  const end = successor(prefix);
  return end === undefined
    ? sql`${column} >= ${prefix}`
    : sql`(${column} >= ${prefix} AND ${column} < ${end})`;
}

const MAX_CODE_POINT = 0x10ffff;

/** The first text after all that start with the prefix, by code points, which is also the order of UTF-8 bytes. */
function successor(prefix: string): string | undefined {
  const characters = [...prefix];
  while (characters.at(-1)?.codePointAt(0) === MAX_CODE_POINT) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  // The code points in between are surrogates, which are no characters.
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
