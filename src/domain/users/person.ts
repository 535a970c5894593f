import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { normalize } from '../../lib/text/normalize.ts';
import { badValue } from '../kernel/errors.ts';
import { type Sort, sortBy, sortByExpression } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';

/** Common parts of the lists of people. */

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

export const personColumns = (users: Rows<'users'>): Sql => sql`${users}.name, ${users}.email`;

/** A table of the members of an organization or a project. */
type Members = Rows<'memberships'> | Rows<'project_members'>;

/** After every character of a name. */
const LAST = '\u{10ffff}';

/** The conditions of a filter, as ranges of indexes. The database folds the case of the prefix as of name_key. */
export const matchesPerson = (
  members: Members,
  users: Rows<'users'>,
  { namePrefix, emailPrefix, emails }: PersonFilter,
): Sql =>
  sql.all([
    namePrefix && startsWithName(sql`${members}.name_key`, normalize(namePrefix, 'NFC')),
    emailPrefix && startsWith(sql`${users}.email`, foldEmail(emailPrefix)),
    emails && sql`${users}.email = ANY(${emails.map(foldEmail)})`,
  ]);

const startsWithName = (nameKey: Sql, prefix: string): Sql =>
  sql`(${nameKey} >= user_name_key(${prefix}) AND ${nameKey} < user_name_key(${prefix}) || ${LAST})`;

type MemberRow = { id: string; nameKey: string; createdAt: Date; role: string };

/** The sort orders of a list of people. roles: from first to last. */
export function personSorts<Row extends MemberRow>(
  members: Members,
  roles: readonly Row['role'][],
): Record<'NAME' | 'CREATED_AT' | 'ROLE', Sort<Row>> {
  const by = (column: Sql, type: Sort<Row>['type'], value: Sort<Row>['value']): Sort<Row> =>
    sortBy(sql`${members}.id`, column, type, value);
  return {
    NAME: by(sql`${members}.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: by(sql`${members}.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    ROLE: sortByExpression(
      sql`${members}.id`,
      roleRank(members, roles),
      'int',
      ({ role }) => roles.indexOf(role) + 1,
    ),
  };
}

/**
 * On members: in one of these roles, by the expression of the index. Literals instead of parameters, so that it is known how
 * many have them. roles: all of them, from first to last.
 */
export const inRoles = <Role extends string>(
  members: Members,
  roles: readonly Role[],
  some: readonly Role[],
): Sql =>
  some.length === 0
    ? sql`false`
    : sql`${roleRank(members, roles)} IN (${sql.raw(some.map((role) => roles.indexOf(role) + 1).join())})`;

/** The expression of the index. */
const roleRank = (members: Members, roles: readonly string[]): Sql =>
  sql`(CASE ${members}.role ${sql.raw(roles.map((role, index) => `WHEN '${role}' THEN ${index + 1}`).join(' '))} END)`;

/** Throws BAD_USER_INPUT if an address occurs twice. */
export function requireDistinctEmails(members: readonly { email: string }[]): void {
  const emails = members.map(({ email }) => email);
  const duplicate = emails.findIndex((email, index) => emails.indexOf(email) < index);
  if (duplicate >= 0) throw badValue(`members.${duplicate}.email`, 'is named twice');
}

/** Whether a filter of people has a condition. */
export const hasConditions = (filter: object): boolean =>
  Object.values(filter).some((value) => value !== null && value !== undefined);
