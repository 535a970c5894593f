import { z } from 'zod';
import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleMemberships } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { email, parse, requireBatchSize } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { User } from './user.ts';

/** The people of `users u`, no service accounts, that the viewer shares an organization with and sees there. */
const isContact = (
  viewer: Viewer,
) => sql`u.id <> ${viewer.userId} AND u.disabled_at IS NULL AND u.service_client_id IS NULL AND u.id IN (
  SELECT m.user_id FROM ${tables.memberships.from} WHERE ${visibleMemberships(viewer, tables.memberships)})`;

const isHidden = ({ userId }: Viewer) => sql`EXISTS (
  SELECT FROM hidden_contacts h WHERE h.user_id = ${userId} AND h.contact_id = u.id)`;

export interface ContactFilter {
  /** What the name or the e-mail address starts with. */
  search?: string | null | undefined;
  /** The hidden contacts instead of the others. */
  hidden?: boolean | null | undefined;
}

/** The viewer's contacts: at most 100, by e-mail address. */
export function findContacts({ db, viewer }: Context, { search, hidden }: ContactFilter): Promise<User[]> {
  const prefix = search?.toLowerCase();
  const matches = prefix
    ? sql`(starts_with(u.email, ${foldEmail(search ?? '')}) OR starts_with(lower(u.name), ${prefix}))`
    : sql`true`;
  return db.query<User>(sql`SELECT u.id, u.email, u.name FROM users u
    WHERE ${isContact(viewer)} AND ${matches} AND ${hidden ? isHidden(viewer) : sql`NOT ${isHidden(viewer)}`}
    ORDER BY u.email LIMIT 100`);
}

const selection = z.strictObject({ emails: z.array(email).nullish() });

type Selection = z.input<typeof selection>;

/** Throws NOT_FOUND with the position of the first address that no contact has. */
async function requireContacts(viewer: Viewer, emails: readonly string[], reader: Reader): Promise<void> {
  const contacts = await reader.query<Pick<User, 'email'>>(
    sql`SELECT u.email FROM users u WHERE ${isContact(viewer)} AND u.email = ANY(${emails})`,
  );
  const present = new Set(contacts.map((each) => each.email));
  const index = emails.findIndex((each) => !present.has(each));
  if (index >= 0) throw notFound('Contact', `emails.${index}`);
}

/** Runs a statement on the contacts with the selected addresses, or on all contacts. */
function change(ctx: Context, input: Selection, statement: (contacts: Sql) => Sql): Promise<void> {
  const { emails } = parse(selection, input);
  if (emails) requireBatchSize(emails, ctx.limits.batchMax, 'emails');
  const { viewer } = ctx;
  requireNoApplication(viewer, 'ownSettings');
  return inTransaction(ctx.db, async (tx) => {
    if (emails) await requireContacts(viewer, emails, tx);
    const isSelected = emails ? sql`u.email = ANY(${emails})` : sql`true`;
    await tx.query(statement(sql`SELECT u.id FROM users u WHERE ${isContact(viewer)} AND ${isSelected}`));
  });
}

/**
 * Hides contacts from the viewer's address book, all of them without `emails`; people who join later are shown. Throws
 * NOT_FOUND. Records no event: nobody else sees it.
 */
export const hideContacts = (ctx: Context, input: Selection): Promise<void> =>
  change(
    ctx,
    input,
    (contacts) => sql`INSERT INTO hidden_contacts (user_id, contact_id)
      SELECT ${ctx.viewer.userId}, c.id FROM (${contacts}) c ORDER BY c.id ON CONFLICT DO NOTHING`,
  );

/** Shows hidden contacts again, all of them without `emails`. Throws NOT_FOUND. Records no event, as above. */
export const showContacts = (ctx: Context, input: Selection): Promise<void> =>
  change(
    ctx,
    input,
    (contacts) => sql`DELETE FROM hidden_contacts
      WHERE user_id = ${ctx.viewer.userId} AND contact_id IN (${contacts})`,
  );
