import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Storage } from '../kernel/context.ts';

/**
 * How a link of an invitation reached its reader. A mailed one proves that they read mails to the address; one that a
 * manager copied proves nothing about it.
 */
export type InvitationLinkOrigin = 'mailed' | 'copied';

/** The message from which the secret is derived. Withdrawing or answering an invitation deletes it, and ends its links. */
const message = (id: string, origin: InvitationLinkOrigin): string => `invitation.${origin}.${id}`;

/** The URL at which an invited person answers. */
export const invitationUrl = ({ signedUrls }: Storage, id: string, origin: InvitationLinkOrigin): string =>
  signedUrls.page(`/invitations/${id}/${signedUrls.linkSecret(message(id, origin))}`);

/** The origin of a link with this secret; undefined if it is none of the invitation. */
export const originOfLink = (
  { signedUrls }: Storage,
  id: string,
  secret: string,
): InvitationLinkOrigin | undefined =>
  (['mailed', 'copied'] as const).find((origin) => signedUrls.opensLink(secret, message(id, origin)));

/** What the reader of a link may know of the invitation. */
export interface LinkedInvitation {
  id: string;
  email: string;
  organizationName: string;
  inviterEmail: string;
  inviterName: string;
  /** Projects that come with it. */
  projects: number;
}

/** The invitation of a link that has been checked; undefined once it was answered or withdrawn. */
export async function findLinkedInvitation(
  reader: Reader,
  id: string,
): Promise<LinkedInvitation | undefined> {
  const [invitation] = await reader.query<LinkedInvitation>(sql`
    SELECT i.id, i.email, o.name AS organization_name, u.email AS inviter_email, u.name AS inviter_name,
      (SELECT count(*) FROM project_invitations p
        WHERE p.organization_id = i.organization_id AND p.invitation_id = i.id)::int AS projects
    FROM invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.created_by_id
    WHERE i.id = ${id}`);
  return invitation;
}
