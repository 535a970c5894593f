import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { isLinkSecret } from '../../lib/secret.ts';
import { allowedBy, bitsOf, type IdentityScope, type Scope, type ScopeBits } from './scope.ts';

interface Membership {
  readonly organizationId: string;
  /** GUEST where the credential is limited to projects, so that it has no right in the organization itself. */
  readonly role: OrganizationRole;
  /** They see all content of every project there that they see. Undefined: unknown, so each row has to be checked. */
  readonly seesAllContent?: boolean;
  /** The only projects of the organization that the credential reaches, and the role of the person, which counts in them. */
  readonly projects?: { readonly ids: readonly string[]; readonly role: OrganizationRole };
}

/** The caller, loaded from the credential at each request, so that a revocation takes effect at once. */
export interface Viewer {
  readonly userId: string;
  readonly email: string;
  /** They have proved to read the mails to the address. Undefined counts as false. */
  readonly isEmailVerified?: boolean;
  readonly name: string;
  /** As they were asked for; `allowedTo` says what they allow. */
  readonly scopes: ReadonlySet<Scope>;
  /** What the application may learn of who the viewer is; no rights. */
  readonly identityScopes?: readonly IdentityScope[];
  /** The API key, the grant of the access token, or the browser sign-in. */
  readonly credentialId: string;
  /** The application that acts for the user, with an access token. */
  readonly clientId?: string;
  /** When the user authorized what the access token derives from, or issued the API key; undefined for a sign-in. */
  readonly authorizedAt?: Date;
  /** Whether that was in a sign-in that had proved a second factor. */
  readonly secondFactor?: boolean;
  readonly memberships: readonly Membership[];
  /** The person limited the application to some organizations or projects: `memberships` are these, and nothing else is visible. */
  readonly isLimited?: boolean;
  /** The secret of a public link, if that is the only credential. */
  readonly link?: string;
  /** Projects, folders and documents are read as they were: only those that they see today (domain/history/past-tables.ts). */
  readonly inPast?: true;
}

/**
 * The viewer of a public link: no user, no memberships. The statement that reads looks up the link (access.ts), so that
 * its end takes effect at once.
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

/** Whether the credential is the access token of an application. */
export const isApplication = ({ credentialId }: Viewer): boolean => typeOfId(credentialId) === 'Grant';

const WRITE = bitsOf('write');
const MEMBERS = bitsOf('members:write');

/** What the scopes of the viewer allow. */
export const allowedTo = (viewer: Viewer): ScopeBits => allowedWith(viewer.scopes, isApplication(viewer));

/** What scopes allow: `write` of an API key or a sign-in includes `members:write`, that of an application does not. */
export function allowedWith(scopes: Iterable<Scope>, ofApplication: boolean): ScopeBits {
  const allowed = allowedBy(scopes);
  return allowed & WRITE && !ofApplication ? allowed | MEMBERS : allowed;
}

/** The viewer's address, by which others mean them; null unless it is verified: it may be somebody else's. */
export const verifiedEmail = ({ email, isEmailVerified }: Viewer): string | null =>
  isEmailVerified ? email : null;

/** The organizations that the viewer belongs to. */
export const organizationsOf = ({ memberships }: Viewer): string[] =>
  memberships.map(({ organizationId }) => organizationId);

/** The organizations in which the viewer has one of these roles. */
export const organizationsWith = (viewer: Viewer, ...roles: OrganizationRole[]): string[] =>
  viewer.memberships.filter(({ role }) => roles.includes(role)).map(({ organizationId }) => organizationId);

/** The organizations in whose projects the viewer has what one of these roles gives. Of limited ones `reaches` says which projects. */
export const organizationsWithInProjects = (viewer: Viewer, ...roles: OrganizationRole[]): string[] =>
  viewer.memberships
    .filter(({ role, projects }) => roles.includes(projects?.role ?? role))
    .map(({ organizationId }) => organizationId);

/** The organizations of which the credential reaches single projects only. */
export const limitedOrganizations = ({ memberships }: Viewer): string[] =>
  memberships.filter(({ projects }) => projects).map(({ organizationId }) => organizationId);

/** The organizations in which the person is a guest; `organizationsWith(viewer, 'GUEST')` has the limited ones too. */
export const guestOrganizations = ({ memberships }: Viewer): string[] =>
  memberships
    .filter(({ role, projects }) => role === 'GUEST' && !projects)
    .map(({ organizationId }) => organizationId);

/**
 * The tenant whose share of the server the viewer's requests use: their first organization in which they are more than a
 * guest, else their first organization, else they themselves by user id. Undefined for a public link.
 */
export const tenantOf = ({ memberships, userId }: Viewer): string | undefined =>
  (memberships.find(({ role }) => role !== 'GUEST') ?? memberships[0])?.organizationId || userId || undefined;
