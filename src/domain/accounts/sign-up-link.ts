import { nowPlus } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { SignUp } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { DAY } from '../../lib/time.ts';
import type { Storage } from '../kernel/context.ts';
import { queueMails } from '../mails/queue-mail.ts';

/** How long an address can be confirmed. */
const LIFETIME = DAY;

/** A person at an identity provider (OpenID Connect Core 1.0 §5.7). */
export interface ProviderSubject {
  issuer: string;
  subject: string;
}

export interface SignUpRequest {
  email: string;
  /** What the provider calls the person. */
  name?: string;
  /** The account can be used from there, too. */
  identity?: ProviderSubject;
  /** Nothing is mailed unless somebody has invited the address. */
  onlyInvited?: boolean;
}

/**
 * Queues a mail with a link that creates an account. Whether the address has one is looked up when the mail is written: here, it
 * takes the same time.
 */
export const requestSignUp = (
  db: Database,
  { email, name, identity, onlyInvited = false }: SignUpRequest,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const id = newId('SignUp');
    await tx.query(sql`INSERT INTO sign_ups (id, email, name, issuer, subject, expires_at) VALUES (${id}, ${email},
      ${name ?? null}, ${identity?.issuer ?? null}, ${identity?.subject ?? null}, ${nowPlus(LIFETIME)})`);
    await queueMails(tx, [
      { kind: 'SIGN_UP', to: email, organizationId: null, subjectId: id, data: { onlyInvited } },
    ]);
  });

const message = (id: string): string => `sign-up.${id}`;

/** The URL in the mail; its secret is derived, not stored. */
export const signUpUrl = ({ signedUrls }: Pick<Storage, 'signedUrls'>, id: string): string =>
  signedUrls.page(`/sign-up/${id}/${signedUrls.linkSecret(message(id))}`);

export const opensSignUp = (
  { signedUrls }: Pick<Storage, 'signedUrls'>,
  { id, secret }: { id: string; secret: string },
): boolean => signedUrls.opensLink(secret, message(id));

export type OpenSignUp = Pick<SignUp, 'id' | 'email' | 'name' | 'issuer' | 'subject'>;

const columns = sql`s.id, s.email, s.name, s.issuer, s.subject`;

/** The request of a link that has been checked; undefined once it was used or has expired. */
export async function findSignUp(reader: Reader, id: string): Promise<OpenSignUp | undefined> {
  const [found] = await reader.query<OpenSignUp>(
    sql`SELECT ${columns} FROM sign_ups s WHERE s.id = ${id} AND s.used_at IS NULL AND s.expires_at > now()`,
  );
  return found;
}

/** Uses the request, once; undefined if it was used or has expired. */
export async function consumeSignUp(tx: Transaction, id: string): Promise<OpenSignUp | undefined> {
  const [used] = await tx.query<OpenSignUp>(sql`UPDATE sign_ups s SET used_at = now()
    WHERE s.id = ${id} AND s.used_at IS NULL AND s.expires_at > now() RETURNING ${columns}`);
  return used;
}
