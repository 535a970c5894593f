import { type Sql, sql } from '../../db/sql/sql.ts';
import { type Viewer, verifiedEmail } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';

/** On mails as `m`: for owners and admins of the organization; mails about accounts have none. */
export const visibleMails = (viewer: Viewer): Sql =>
  sql`m.organization_id = ANY(${adminOrganizations(viewer)})`;

/** On mails as `m`, with their text: as above, without the kinds that open an account; and those to the viewer. */
export const readableMails = (viewer: Viewer, listedKinds: readonly string[]): Sql =>
  sql`((${visibleMails(viewer)} AND m.kind = ANY(${listedKinds})) OR m.to_email = ${verifiedEmail(viewer)})`;
