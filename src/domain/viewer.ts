import type { OrganizationRole, Scope } from '../generated/prisma/client.ts';

/** Who is asking, as the credential of this very request says: loaded anew each time, so that what was revoked counts at once. */
export interface Viewer {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The API key, access token's grant, or browser sign-in that was presented. */
  readonly credentialId: string;
  readonly memberships: readonly { organizationId: string; role: OrganizationRole }[];
}

/** The organizations in which the viewer has one of these roles. */
export const organizationsWith = (viewer: Viewer, ...roles: OrganizationRole[]): string[] =>
  viewer.memberships.filter(({ role }) => roles.includes(role)).map(({ organizationId }) => organizationId);
