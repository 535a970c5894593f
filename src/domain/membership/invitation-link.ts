import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { stillInvites } from '../access/access-cause.ts';
import type { Storage } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { type Invitation, inviter } from '../organizations/invitation.ts';

/**
 * How a link of an invitation reached its reader. A mailed one proves that they read mails to the address; one that a
 * manager copied proves nothing about it.
 */
export type InvitationLinkOrigin = 'mailed' | 'copied';

type Linked = Pick<Invitation, 'id' | 'resends'>;

/** The message from which the secret is derived. Withdrawing or answering an invitation deletes it, and ends its links. */
const message = ({ id, resends }: Linked, origin: InvitationLinkOrigin): string =>
  resends === 0 ? `invitation.${origin}.${id}` : `invitation.${origin}.${id}.${resends}`;

/** The URL at which an invited person answers. Sending the invitation again ends it. */
export const invitationUrl = (
  { signedUrls }: Storage,
  invitation: Linked,
  origin: InvitationLinkOrigin,
): string =>
  signedUrls.page(`/invitations/${invitation.id}/${signedUrls.linkSecret(message(invitation, origin))}`);

export interface InvitationLink {
  origin: InvitationLinkOrigin;
  /** Whether the invitation was sent again after it. */
  isReplaced: boolean;
}

/** What a link with this secret is; undefined if it is none of the invitation. */
export function readLink(
  { signedUrls }: Storage,
  { id, resends }: Linked,
  secret: string,
): InvitationLink | undefined {
  for (let each = resends; each >= 0; each--)
    for (const origin of ['mailed', 'copied'] as const)
      if (signedUrls.opensLink(secret, message({ id, resends: each }, origin)))
        return { origin, isReplaced: each < resends };
  return undefined;
}

/** What the reader of a link may know of the invitation. */
export interface LinkedInvitation {
  id: string;
  email: string;
  organizationName: string;
  inviterEmail: string;
  inviterName: string;
  resends: number;
  /** By the database's clock. */
  isExpired: boolean;
  expiresAt: Date;
  /** Whether who invited could do so now: nothing is mailed in the name of who cannot. */
  isByManager: boolean;
  /** Projects that come with it. */
  projects: number;
}

/** The invitation of a link that is to be checked; undefined once it was answered or withdrawn. */
export async function findLinkedInvitation(
  reader: Reader,
  id: string,
): Promise<LinkedInvitation | undefined> {
  const [invitation] = await reader.query<LinkedInvitation>(sql`
    SELECT i.id, i.email, i.resends, i.expires_at, i.expires_at <= now() AS is_expired, o.name AS organization_name,
      u.email AS inviter_email, u.name AS inviter_name,
      ${stillInvites(tables.invitations, inviter(tables.invitations))} AS is_by_manager,
      (SELECT count(*) FROM project_invitations p
        WHERE p.organization_id = i.organization_id AND p.invitation_id = i.id)::int AS projects
    FROM ${tables.invitations.from} JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = ${inviter(tables.invitations)}
    WHERE i.id = ${id}`);
  return invitation;
}
