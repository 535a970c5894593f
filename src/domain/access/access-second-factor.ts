import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { typeOfId } from '../../lib/id.ts';
import { tables } from '../kernel/tables.ts';

/** Whether the account with this id has a second factor. */
export const accountHasSecondFactor = (userId: Sql): Sql => sql`(
  EXISTS (SELECT FROM authenticator_apps f WHERE f.user_id = ${userId})
  OR EXISTS (SELECT FROM passkeys f WHERE f.user_id = ${userId}))`;

/**
 * How a credential that is no sign-in was issued: when, and whether by a sign-in that had proved a second factor. What it
 * issues itself inherits both.
 */
export interface Issue {
  /** timestamptz; null counts as after every rule. */
  authorizedAt: Sql;
  secondFactor: Sql;
}

/**
 * On memberships: usable, as the organization requires no second factor, or the member has one. A credential that is no sign-in
 * also reaches the organization if a second factor was proved for it, or if it and the membership are older than the rule:
 * a password alone issues nothing that avoids the rule. Without `issue`, of a sign-in.
 */
export const membershipIsUsable = (m: Rows<'memberships'>, issue?: Issue): Sql => sql`(
  NOT EXISTS (SELECT FROM organizations o WHERE o.id = ${m}.organization_id AND o.requires_second_factor
    ${issue ? sql`AND NOT (${issue.secondFactor} OR coalesce(${issue.authorizedAt} < o.second_factor_since AND ${m}.created_at < o.second_factor_since, false))` : sql.empty})
  OR ${accountHasSecondFactor(sql`${m}.user_id`)})`;

/** Of API keys. */
export const keyIssue = (a: Rows<'api_keys'>): Issue => ({
  authorizedAt: sql`${a}.authorized_at`,
  secondFactor: sql`${a}.second_factor`,
});

/** Of authorizations by the user, with all tokens that derive from them. */
export const authorizationIssue = (f: Rows<'authorization_codes'>): Issue => ({
  authorizedAt: sql`${f}.created_at`,
  secondFactor: sql`${f}.second_factor`,
});

/** Of an API key or a grant, whose live authorizations count together; undefined for a sign-in. */
export function issueOfCredential(id: string | null): Issue | undefined {
  const { apiKeys, authorizationCodes } = tables;
  const type = id && typeOfId(id);
  if (type === 'ApiKey') {
    const { authorizedAt, secondFactor } = keyIssue(apiKeys);
    const key = sql`FROM ${apiKeys.from} WHERE ${apiKeys}.id = ${id}`;
    return {
      authorizedAt: sql`(SELECT ${authorizedAt} ${key})`,
      secondFactor: sql`coalesce((SELECT ${secondFactor} ${key}), false)`,
    };
  }
  if (type !== 'Grant') return undefined;
  const { authorizedAt, secondFactor } = authorizationIssue(authorizationCodes);
  const authorizations = sql`FROM ${authorizationCodes.from}
    WHERE ${authorizationCodes}.grant_id = ${id} AND ${authorizationCodes}.revoked_at IS NULL`;
  return {
    authorizedAt: sql`(SELECT min(${authorizedAt}) ${authorizations})`,
    secondFactor: sql`coalesce((SELECT bool_or(${secondFactor}) ${authorizations}), false)`,
  };
}

/** On memberships: usable by a sign-in of the member, or by one of their live API keys or authorizations. */
export const someCredentialReaches = (m: Rows<'memberships'>): Sql => {
  const { apiKeys, authorizationCodes, grants } = tables;
  return sql`(${membershipIsUsable(m)}
  OR EXISTS (SELECT FROM ${apiKeys.from} WHERE ${apiKeys}.user_id = ${m}.user_id AND ${apiKeys}.revoked_at IS NULL
    AND (${apiKeys}.expires_at IS NULL OR ${apiKeys}.expires_at > now()) AND ${membershipIsUsable(m, keyIssue(apiKeys))})
  OR EXISTS (SELECT FROM ${grants.from} JOIN ${authorizationCodes.from} ON ${authorizationCodes}.grant_id = ${grants}.id
    WHERE ${grants}.user_id = ${m}.user_id AND ${grants}.revoked_at IS NULL AND ${authorizationCodes}.revoked_at IS NULL
    AND ${membershipIsUsable(m, authorizationIssue(authorizationCodes))}))`;
};

/** Names of organizations that the credentials of a user do not reach for lack of a second factor, by name; at most 20. */
export const closedOrganizations = async (reader: Reader, userId: string, issue?: Issue): Promise<string[]> =>
  (
    await reader.query<{
      name: string;
    }>(sql`SELECT o.name FROM ${tables.memberships.from} JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = ${userId} AND NOT ${membershipIsUsable(tables.memberships, issue)} ORDER BY o.name_key LIMIT 20`)
  ).map(({ name }) => name);
