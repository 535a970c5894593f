import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { type Viewer, verifiedEmail } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';

/** On mails: for owners and admins of the organization; mails about accounts have none. */
export const visibleMails = (viewer: Viewer, m: Rows<'mails'>): Sql =>
  sql`${m}.organization_id = ANY(${adminOrganizations(viewer)})`;

/** On mails, with their text: as above, of the kinds without a link that acts for a person; and those to the viewer. */
export const readableMails = (viewer: Viewer, m: Rows<'mails'>, kinds: readonly string[]): Sql =>
  sql`((${visibleMails(viewer, m)} AND ${m}.kind = ANY(${kinds})) OR ${m}.to_email = ${verifiedEmail(viewer)})`;
