import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { accountHasSecondFactor, type Issue } from './access-second-factor.ts';

/** How a sign-in may have proved a second factor (`sign_ins.methods`). A passkey alone has verified its owner. */
const SECOND_FACTORS = ['code', 'recoveryCode', 'passkey'];

/** Whether the live sign-in with this id has proved a second factor that its account still has. */
export const signInProvedSecondFactor = (
  signInId: string,
): Sql => sql`EXISTS (SELECT FROM ${tables.signIns.from}
  WHERE s.id = ${signInId} AND s.expires_at > now() AND s.methods && ${sql.texts(SECOND_FACTORS)}
  AND ${accountHasSecondFactor(sql`s.user_id`)})`;

/** The columns of a credential that say how it was issued. */
export interface IssuedColumns {
  authorizedAt: Date;
  secondFactor: boolean;
}

/** Those of a credential that the viewer issues now: as the viewer's own, or by the viewer's sign-in. */
export async function issuedColumns(reader: Reader, viewer: Viewer): Promise<IssuedColumns> {
  const { credentialId, authorizedAt, secondFactor = false } = viewer;
  if (authorizedAt) return { authorizedAt, secondFactor };
  const [issued] = await reader.query<IssuedColumns>(sql`
    SELECT now() AS authorized_at, ${signInProvedSecondFactor(credentialId)} AS second_factor`);
  return issued as IssuedColumns;
}

/** The same as an expression, for conditions. */
export const issueOfColumns = ({ authorizedAt, secondFactor }: IssuedColumns): Issue => ({
  authorizedAt: sql`${authorizedAt}::timestamptz`,
  secondFactor: sql`${secondFactor}::boolean`,
});
