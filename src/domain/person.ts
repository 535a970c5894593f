import { type Sql, sql } from '../db/sql.ts';
import { badInput } from './errors.ts';
import type { Sort } from './page.ts';

/** What lists of people have in common; the SQL of each calls the person `u`. */

/** What a row says of the person it is about; nameKey is what their name sorts by. */
export interface Person {
  name: string;
  email: string;
  nameKey: string;
}

export interface PersonFilter {
  /** What the name starts with, whatever the case. */
  namePrefix?: string | null;
  /** What the e-mail address starts with, whatever the case. */
  emailPrefix?: string | null;
}

/** People have no name_key column: the database folds the case, on both sides of a comparison alike. */
const folded = (name: Sql): Sql => sql`lower(${name} COLLATE "default") COLLATE "C"`;

export const personColumns = sql`u.name, u.email, ${folded(sql`u.name`)} AS name_key`;

export const matchesPerson = ({ namePrefix, emailPrefix }: PersonFilter): Sql => {
  const prefix = sql`${namePrefix?.normalize('NFC')}::text`;
  return sql`${namePrefix ? sql`starts_with(${folded(sql`u.name`)}, ${folded(prefix)})` : sql`true`}
    AND ${emailPrefix ? sql`starts_with(u.email, ${emailPrefix.toLowerCase()})` : sql`true`}`;
};

/** The orders of a list of people: `row` is the alias of what makes them members, `roles` run from the first to the last. */
export function personSorts<Row extends Person & { id: string; createdAt: Date; role: string }>(
  row: Sql,
  roles: readonly Row['role'][],
): Record<'NAME' | 'CREATED_AT' | 'ROLE', Sort<Row>> {
  const ties = { id: sql`${row}.id`, idOf: ({ id }: Row) => id };
  const role = sql`array_position(${roles}::text[], ${row}.role::text)`;
  return {
    NAME: { ...ties, column: folded(sql`u.name`), type: 'text', value: ({ nameKey }) => nameKey },
    CREATED_AT: {
      ...ties,
      column: sql`${row}.created_at`,
      type: 'timestamptz',
      value: ({ createdAt }) => createdAt,
    },
    ROLE: { ...ties, column: role, type: 'int', value: (each) => roles.indexOf(each.role) + 1 },
  };
}

/** Throws BAD_USER_INPUT when a batch names someone twice. */
export function requireDistinct(members: readonly { email: string }[]): void {
  const emails = members.map(({ email }) => email);
  const again = emails.findIndex((email, index) => emails.indexOf(email) < index);
  if (again >= 0) throw badInput(`members.${again}.email: is named twice`, `members.${again}.email`);
}
