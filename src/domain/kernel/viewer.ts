import type { OrganizationRole, Scope } from '../../generated/prisma/client.ts';
import { isLinkSecret } from '../../lib/secret.ts';

interface Membership {
  readonly organizationId: string;
  readonly role: OrganizationRole;
  /** Of each project that they see there, they see all content. Where it is not said, they may not. */
  readonly seesAllContent?: boolean;
}

/** Who is asking, as the credential of this very request says: loaded anew each time, so that what was revoked counts at once. */
export interface Viewer {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The API key, access token's grant, or browser sign-in that was presented. */
  readonly credentialId: string;
  /** The application that acts for the user, where an access token was presented. */
  readonly clientId?: string;
  readonly memberships: readonly Membership[];
  /** The secret of the public link that is followed, by someone who shows no other credential. */
  readonly link?: string;
}

/**
 * Whoever follows a public link: nobody, and at home nowhere. What the link opens is for access.ts to say, which finds
 * it by a unique index in the very statement that reads, so that a link ends at once.
 */
export const linkViewer = (secret: string): Viewer => ({
  userId: '',
  email: '',
  name: '',
  scopes: new Set(['read', 'write']),
  credentialId: '',
  memberships: [],
  link: isLinkSecret(secret) ? secret : '',
});

/** The organizations that the viewer belongs to. */
export const organizationsOf = ({ memberships }: Viewer): string[] =>
  memberships.map(({ organizationId }) => organizationId);

/** The organizations in which the viewer has one of these roles. */
export const organizationsWith = (viewer: Viewer, ...roles: OrganizationRole[]): string[] =>
  viewer.memberships.filter(({ role }) => roles.includes(role)).map(({ organizationId }) => organizationId);

/**
 * The organization whose share of the server a viewer uses: the first that they belong to as more than a guest, so that
 * guests elsewhere use their own. Whoever belongs to none is a tenant of their own; undefined for a public link.
 */
export const tenantOf = ({ memberships, userId }: Viewer): string | undefined =>
  (memberships.find(({ role }) => role !== 'GUEST') ?? memberships[0])?.organizationId || userId || undefined;
