import { type Sql, sql } from '../../db/sql/sql.ts';

/**
 * A condition: this column, which is ordered by its bytes, starts so. It is a range, which an index has, also where a plan
 * is made before the text is known.
 */
export function startsWith(column: Sql, prefix: string): Sql {
  const beyond = successor(prefix);
  return beyond === undefined
    ? sql`${column} >= ${prefix}`
    : sql`(${column} >= ${prefix} AND ${column} < ${beyond})`;
}

const MAX_CODE_POINT = 0x10ffff;

/** The first text, by code points as by the bytes of UTF-8, behind all that start so. */
function successor(prefix: string): string | undefined {
  const characters = [...prefix];
  while (characters.at(-1)?.codePointAt(0) === MAX_CODE_POINT) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  // What stands between are halves of characters.
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
