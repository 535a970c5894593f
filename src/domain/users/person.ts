import { type Sql, sql } from '../../db/sql/sql.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { normalize } from '../../lib/text/normalize.ts';
import { badInput } from '../kernel/errors.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';

/** Common parts of the lists of people. Their SQL has the users as `u`. */

/** Columns of the person in a list of people. */
export interface Person {
  name: string;
  email: string;
}

export interface PersonFilter {
  /** Prefix of the name, in any case. */
  namePrefix?: string | null;
  /** Prefix of the e-mail address, in any case. */
  emailPrefix?: string | null;
  /** Any of these e-mail addresses, in any case. */
  emails?: string[] | null;
}

export const personColumns = sql`u.name, u.email`;

/**
 * The conditions of a filter. row: alias of the membership. The database folds the case of the prefix as of name_key.
 */
export const matchesPerson = (row: Sql, { namePrefix, emailPrefix, emails }: PersonFilter): Sql =>
  sql.all([
    namePrefix && sql`starts_with(${row}.name_key, user_name_key(${normalize(namePrefix, 'NFC')}))`,
    emailPrefix && sql`starts_with(u.email, ${foldEmail(emailPrefix)})`,
    emails && sql`u.email = ANY(${emails.map(foldEmail)})`,
  ]);

type MemberRow = { id: string; nameKey: string; createdAt: Date; role: string };

/** The sort orders of a list of people. row: alias of the membership; roles: from first to last. */
export function personSorts<Row extends MemberRow>(
  row: Sql,
  roles: readonly Row['role'][],
): Record<'NAME' | 'CREATED_AT' | 'ROLE', Sort<Row>> {
  const by = (column: Sql, type: Sort<Row>['type'], value: Sort<Row>['value']): Sort<Row> =>
    sortBy(sql`${row}.id`, column, type, value);
  return {
    NAME: by(sql`${row}.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: by(sql`${row}.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    ROLE: sortByExpression(
      sql`${row}.id`,
      roleRank(row, roles),
      'int',
      ({ role }) => roles.indexOf(role) + 1,
    ),
  };
}

/** The expression of the index. */
const roleRank = (row: Sql, roles: readonly string[]): Sql =>
  sql`(CASE ${row}.role ${sql.raw(roles.map((role, index) => `WHEN '${role}' THEN ${index + 1}`).join(' '))} END)`;

/** Throws BAD_USER_INPUT if an address occurs twice. */
export function requireDistinctEmails(members: readonly { email: string }[]): void {
  const emails = members.map(({ email }) => email);
  const duplicate = emails.findIndex((email, index) => emails.indexOf(email) < index);
  if (duplicate >= 0)
    throw badInput(`members.${duplicate}.email: is named twice`, `members.${duplicate}.email`);
}
