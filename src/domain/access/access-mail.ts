import { type Sql, sql } from '../../db/sql/sql.ts';
import { type Viewer, verifiedEmail } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';

/** On mails as `m`: for owners and admins of the organization; mails about accounts have none. */
export const visibleMails = (viewer: Viewer): Sql =>
  sql`m.organization_id = ANY(${adminOrganizations(viewer)})`;

/** On mails as `m`, with their text: as above, of the kinds without a link that acts for a person; and those to the viewer. */
export const readableMails = (viewer: Viewer, kinds: readonly string[]): Sql =>
  sql`((${visibleMails(viewer)} AND m.kind = ANY(${kinds})) OR m.to_email = ${verifiedEmail(viewer)})`;
