import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';

/** When the user of a sign-in proved who they are. */
export interface SignInProof {
  /** Null if they have to prove it again, and where there is no live sign-in. */
  authenticatedAt: Date | null;
  /** The database's time. */
  now: Date;
}

/** The proof of a live sign-in, given by its id. */
export async function signInProof(reader: Reader, signInId: string | undefined): Promise<SignInProof> {
  const [proof] = await reader.query<SignInProof>(sql`
    SELECT s.authenticated_at, t.now FROM (SELECT date_trunc('milliseconds', now()) AS now) t
    LEFT JOIN sign_ins s ON s.id = ${signInId ?? null} AND s.expires_at > now()`);
  return proof as SignInProof;
}
