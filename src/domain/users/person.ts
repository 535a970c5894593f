import { type Sql, sql } from '../../db/sql/sql.ts';
import { normalize } from '../../lib/normalize.ts';
import { badInput } from '../kernel/errors.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';

/** What lists of people have in common; the SQL of each calls the person `u`. */

/** What a row says of the person it is about. */
export interface Person {
  name: string;
  email: string;
}

export interface PersonFilter {
  /** What the name starts with, whatever the case. */
  namePrefix?: string | null;
  /** What the e-mail address starts with, whatever the case. */
  emailPrefix?: string | null;
}

export const personColumns = sql`u.name, u.email`;

/** `row` is the alias of what makes them members; the database folds the case of its name_key, and here as there. */
export const matchesPerson = (row: Sql, { namePrefix, emailPrefix }: PersonFilter): Sql =>
  sql.all([
    namePrefix && sql`starts_with(${row}.name_key, user_name_key(${normalize(namePrefix, 'NFC')}))`,
    emailPrefix && sql`starts_with(u.email, ${emailPrefix.toLowerCase()})`,
  ]);

type MemberRow = { id: string; nameKey: string; createdAt: Date; role: string };

/** The orders of a list of people: `row` as above, `roles` run from the first to the last. */
export function personSorts<Row extends MemberRow>(
  row: Sql,
  roles: readonly Row['role'][],
): Record<'NAME' | 'CREATED_AT' | 'ROLE', Sort<Row>> {
  const by = (column: Sql, type: Sort<Row>['type'], value: Sort<Row>['value']): Sort<Row> =>
    sortBy(sql`${row}.id`, column, type, value);
  return {
    NAME: by(sql`${row}.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: by(sql`${row}.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    ROLE: sortByExpression(sql`${row}.id`, rankOf(row, roles), 'int', ({ role }) => roles.indexOf(role) + 1),
  };
}

/** As the index has it. */
const rankOf = (row: Sql, roles: readonly string[]): Sql =>
  sql`(CASE ${row}.role ${sql.raw(roles.map((role, index) => `WHEN '${role}' THEN ${index + 1}`).join(' '))} END)`;

/** Throws BAD_USER_INPUT when a batch names someone twice. */
export function requireDistinctEmails(members: readonly { email: string }[]): void {
  const emails = members.map(({ email }) => email);
  const again = emails.findIndex((email, index) => emails.indexOf(email) < index);
  if (again >= 0) throw badInput(`members.${again}.email: is named twice`, `members.${again}.email`);
}
