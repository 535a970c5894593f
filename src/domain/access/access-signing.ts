import { type Sql, sql } from '../../db/sql/sql.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { inLiveProject } from './access.ts';

/** On signature sessions as `g`: active, though its time has passed; the job that ends it has not run yet. */
export const overdueSession: Sql = sql`(g.state = 'ACTIVE' AND coalesce(g.expires_at <= now(), false))`;

/**
 * On signature recipients as `r` of sessions as `g` on documents as `d`: the viewer signs here, from the request until the
 * session ends or the document is recycled. By their account, or by a signing link of version `linkVersion`.
 */
export const visibleSignings = (viewer: Viewer, linkVersion: number | null): Sql => sql`(
  r.requested_at IS NOT NULL AND g.state IN ('ACTIVE', 'COMPLETED') AND NOT ${overdueSession} AND d.state = 'ACTIVE' AND ${inLiveProject(sql`d`)} AND ${
    viewer.link === undefined
      ? isSigner(viewer)
      : sql`r.link_version = ${linkVersion}::int AND r.link_expires_at > now()`
  })`;

/** On the same aliases: a signer sees the outcome of the request, without the document, also after visibleSignings ends. */
export const visibleSigningStatus = (viewer: Viewer, linkVersion: number | null): Sql =>
  viewer.link === undefined
    ? sql`(r.requested_at IS NOT NULL AND ${isSigner(viewer)})`
    : sql`(r.link_version = ${linkVersion}::int)`;

/** On the same aliases: the signer can sign now. */
export const awaitedSignings: Sql = sql`(r.state = 'REQUESTED' AND r.link_expires_at > now() AND g.state = 'ACTIVE'
  AND NOT ${overdueSession} AND d.state = 'ACTIVE' AND ${inLiveProject(sql`d`)})`;

/** On the same aliases: all have signed, and the document can be shown to its signers. */
export const completedSignings: Sql = sql`(g.state = 'COMPLETED' AND d.state = 'ACTIVE' AND ${inLiveProject(sql`d`)})`;

/** On signature recipients as `r`: the viewer, as a member of the organization. */
const isSigner = (viewer: Viewer): Sql =>
  sql`r.user_id = ${viewer.userId} AND r.organization_id = ANY(${organizationsOf(viewer)})`;
