import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Project as ProjectRow } from '../../generated/prisma/client.ts';
import { ProjectAccess, type ProjectRole } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { projectRole, visibleProjects } from '../access/access.ts';
import { partialOrganizations, visibleProjectRows } from '../access/access-involved.ts';
import { type ProjectAction, requireProjectRole } from '../access/project-action.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import { type PathOf, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import type { ProjectPath } from '../kernel/project-path.ts';
import { finder } from '../kernel/relation.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { accessOfCopy, copyMembers } from './copy-members.ts';
import { lockSources, type NewProjectCopy, sourcePath, startCopies } from './copy-run.ts';
import { copySettings } from './copy-settings.ts';

/** A project with the viewer's effective role in it. */
export type Project = ProjectRow & { viewerRole: ProjectRole };

interface ProjectFilter {
  /** Prefix of the name; case is ignored. */
  namePrefix?: string | null;
  access?: ProjectAccess | null;
  /** Only those in which the viewer has one of these roles. */
  viewerRoles?: ProjectRole[] | null;
}

const columns = ({ viewer }: Context) => sql`p.*, ${projectRole(viewer, tables.projects)} AS viewer_role`;

const nameStartsWith = ({ namePrefix }: ProjectFilter) =>
  namePrefix && startsWith(sql`p.name_key`, normalizedKey(namePrefix));

/** The conditions of the filter. */
const matches = ({ viewer }: Context, filter: ProjectFilter): Sql =>
  sql.all([
    nameStartsWith(filter),
    filter.access && sql`p.access::text = ${filter.access}`,
    filter.viewerRoles && sql`${projectRole(viewer, tables.projects)} = ANY(${filter.viewerRoles})`,
  ]);

type ProjectListing = Listing<Project, ProjectFilter, 'NAME' | 'CREATED_AT'>;

const fullListing: ProjectListing = {
  name: 'projectsOfOrganization',
  select: columns,
  from: tables.projects.from,
  where: (ctx, filter) =>
    sql`p.organization_id = k.id AND ${visibleProjects(ctx.viewer, tables.projects)} AND ${matches(ctx, filter)}`,
  sorts: {
    NAME: sortBy(sql`p.id`, sql`p.name_key`, 'text', (row) => row.nameKey),
    CREATED_AT: sortBy(sql`p.id`, sql`p.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

export const projectsOfOrganization: ProjectListing = {
  ...fullListing,
  sparse: (ctx, filter) => {
    if (partialOrganizations(ctx.viewer).length === 0) return undefined;
    return {
      firstAttempt: {
        row: tables.projects,
        indexCondition: (order) =>
          sql.all([sql`p.organization_id = k.id`, order === 'NAME' && nameStartsWith(filter)]),
        rowCondition: sql`${visibleProjects(ctx.viewer, tables.projects)} AND ${matches(ctx, filter)}`,
      },
      fallback: () => ({ ...fullListing, name: 'projectsSeen', from: visibleProjectRows(ctx.viewer) }),
    };
  },
};

export const findProjects = finder<Project>(
  (ctx, idCondition) =>
    sql`SELECT ${columns(ctx)} FROM ${tables.projects.from} WHERE p.id ${idCondition} AND ${visibleProjects(ctx.viewer, tables.projects)}`,
);

/**
 * Reads the project for an action. Throws NOT_FOUND, also if it is not in the organization
 * `pathOrganizationId`, FORBIDDEN for a role that does not suffice, or CONFLICT if the project is disabled.
 */
export async function requireProject(
  ctx: Context,
  reader: Reader,
  id: string,
  action: ProjectAction,
  pathOrganizationId?: string | null,
): Promise<Project> {
  const [project] = await findProjects(ctx, [id], reader);
  if (!project || (pathOrganizationId && pathOrganizationId !== project.organizationId))
    throw notFound('Project');
  requireProjectRole(project, action);
  return project;
}

/** Like requireProject, for what goes on while the project is disabled. */
export async function requireClosedProject(
  ctx: Context,
  reader: Reader,
  id: string,
  action: ProjectAction,
): Promise<void> {
  const [project] = await findProjects(ctx, [id], reader);
  if (!project) throw notFound('Project');
  requireProjectRole({ ...project, disabledAt: null }, action);
}

/** Throws NOT_FOUND at `at` unless the project is visible, and of this organization. */
export async function requireProjectOf(
  ctx: Context,
  reader: Reader,
  organizationId: string,
  id: string,
  at: string,
): Promise<void> {
  const [project] = await findProjects(ctx, [id], reader);
  if (project?.organizationId !== organizationId) throw notFound('Project', at);
}

/** Throws NOT_FOUND if the path names a project that is not visible, or not in the organization that it names. */
export async function requireProjectPath(
  ctx: Context,
  reader: Reader,
  { projectId, organizationId }: ProjectPath,
): Promise<void> {
  if (!projectId) return;
  const [project] = await findProjects(ctx, [projectId], reader);
  if (!project || (organizationId && organizationId !== project.organizationId)) throw notFound('Project');
}

const creation = z.strictObject({
  organizationId: z.string(),
  projects: z.array(
    z.strictObject({
      name,
      access: z.enum(ProjectAccess).nullish(),
      source: z.strictObject({ projectId: z.string(), copyContent: z.boolean().nullish() }).nullish(),
    }),
  ),
});

/**
 * Creates projects, all or none, in the order of the input; access is OPEN by default. One with a source has the access and
 * members of that (copy-members.ts), and is filled from it, here or, if large, afterwards (copy-run.ts). Requires the role OWNER
 * or ADMIN in the organization. Throws NOT_FOUND for a source, CONFLICT for one that is being filled itself, FORBIDDEN where an
 * application opens a restricted one.
 */
export function createProjects(ctx: Context, input: z.input<typeof creation>): Promise<Project[]> {
  const { organizationId, projects } = parse(creation, input);
  requireBatchSize(projects, ctx.limits.batchMax, 'projects');
  return inTransaction(ctx.db, async (tx) => {
    await requireOrganizationAdmin(ctx, tx, organizationId);
    const pathOf = sourcePath(projects.map(({ source }) => source?.projectId));
    const sourceIds = projects.flatMap(({ source }) => source?.projectId ?? []);
    const sources = await requireSources(ctx, tx, organizationId, sourceIds, pathOf);
    const rows = projects.map((each) => newRow(ctx, organizationId, each, sources));
    await tx.prisma.project.createMany({ data: rows });
    const copies = rows.flatMap(copyOf);
    await copySettings(tx, copies);
    const joined = await copyMembers(ctx, tx, copies, pathOf);
    const copied = await startCopies(ctx, tx, copies, pathOf);
    await recordEvents(ctx, tx, [...rows.map(creationEvent), ...joined, ...copied]);
    const ids = rows.map(({ id }) => id);
    return inOrderOf(await findProjects(ctx, ids, tx), rows);
  });
}

/** Locks and reads the sources: what their access and members are stays so until the transaction ends. Throws NOT_FOUND. */
async function requireSources(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<Project[]> {
  if (ids.length === 0) return [];
  await lockSources(tx, ids);
  const sources = (await findProjects(ctx, ids, tx)).filter(isOf(organizationId));
  requireFound('Source project', ids, sources, pathOf);
  return sources;
}

const newRow = (
  { viewer }: Context,
  organizationId: string,
  { name, access, source }: z.output<typeof creation>['projects'][number],
  sources: readonly Project[],
) => {
  const copied = sources.find(({ id }) => id === source?.projectId);
  return {
    organizationId,
    id: newId('Project'),
    name,
    nameKey: normalizedKey(name),
    access: copied ? accessOfCopy(viewer, copied, access) : (access ?? ProjectAccess.OPEN),
    sourceId: source?.projectId ?? null,
    sourceContentCopied: source?.copyContent ?? false,
    createdById: viewer.userId,
  };
};

type NewRow = ReturnType<typeof newRow>;

const copyOf = ({ organizationId, id, sourceId, sourceContentCopied }: NewRow): NewProjectCopy[] =>
  sourceId ? [{ organizationId, projectId: id, sourceId, copyContent: sourceContentCopied }] : [];

const creationEvent = ({ organizationId, id, name, access }: NewRow): NewEvent => ({
  organizationId,
  projectId: id,
  subjectId: id,
  kind: 'project.created',
  data: { after: { name, access } },
});

const isOf =
  (organizationId: string) =>
  (project: Project): boolean =>
    project.organizationId === organizationId;

/** Returns the rows in the order of these ids; skips ids without a row. */
export function inOrderOf<Row extends { id: string }>(
  rows: readonly Row[],
  order: readonly { id: string }[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return order.flatMap(({ id }) => byId.get(id) ?? []);
}
