import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { SearchTemplate as SearchTemplateRow } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { visibleSearchTemplates } from '../access/access.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { isInPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { lockRow, requireVersion } from '../kernel/version.ts';
import { findOrganizations } from '../organizations/organization.ts';
import { requireProjectOf } from '../projects/project.ts';
import { readSearch, type SearchFilter, searchFilter } from './search-query.ts';

/** A search that a person saved; `filters` holds everything but query and kind. */
export type SearchTemplate = SearchTemplateRow;

/** The filter of a saved search. */
export const filterOf = ({ keyword, contentType, filters }: SearchTemplate): SearchFilter =>
  ({ ...(filters as object), query: keyword, kind: contentType }) as SearchFilter;

export const searchTemplatesOfOrganization: Listing<SearchTemplate, object, 'NAME' | 'CREATED_AT'> = {
  name: 'searchTemplatesOfOrganization',
  select: () => sql`s.*`,
  from: tables.searchTemplates.from,
  where: ({ viewer }) =>
    sql`s.organization_id = k.id AND ${visibleSearchTemplates(viewer, tables.searchTemplates)}`,
  sorts: {
    NAME: sortBy(sql`s.id`, sql`s.name_key`, 'text', (row) => row.nameKey),
    CREATED_AT: sortBy(sql`s.id`, sql`s.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Reads visible saved searches by id, in no particular order. */
export const findSearchTemplates = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SearchTemplate>(
    sql`SELECT s.* FROM ${tables.searchTemplates.from} WHERE s.id ${sql.any(ids)} AND ${visibleSearchTemplates(ctx.viewer, tables.searchTemplates)}`,
  );

const creation = z.strictObject({
  organizationId: z.string(),
  projectId: z.string().nullish(),
  name,
  query: z.string().nullish(),
  filter: searchFilter.omit({ query: true }).nullish(),
});

/** The columns of a saved search; validates it first. Times are stored as text in JSON. */
function columns({ query, filter }: { query?: string | null; filter?: SearchFilter | null }) {
  readSearch('', { ...filter, query });
  const { kind, ...rest } = JSON.parse(JSON.stringify(filter ?? {}));
  const requested = Object.entries(rest).filter(([, value]) => value !== null);
  return {
    ...(query != null && { keyword: query }),
    ...(filter && {
      contentType: (kind ?? null) as string | null,
      filters: Object.fromEntries(requested) as object,
    }),
  };
}

/** Saves a search for the viewer. Throws FORBIDDEN to guests. */
export function createSearchTemplate(ctx: Context, input: z.input<typeof creation>): Promise<SearchTemplate> {
  const { organizationId, projectId, name, query, filter } = parse(creation, input);
  return inTransaction(ctx.db, async (tx) => {
    await requireMember(ctx, tx, organizationId, projectId != null);
    if (projectId != null) await requireProjectOf(ctx, tx, organizationId, projectId, 'projectId');
    const row = await tx.prisma.searchTemplate.create({
      data: {
        organizationId,
        id: newId('SearchTemplate'),
        projectId: projectId ?? null,
        name,
        nameKey: normalizedKey(name),
        ...{ filters: {}, ...columns({ query, filter }) },
        createdById: ctx.viewer.userId,
      },
    });
    await recordEvents(ctx, tx, [subjectEvent(row, 'searchTemplate.created', { after: { name } })]);
    return row;
  });
}

/** `inProject`: an application that is limited to projects has the role of its user there. */
async function requireMember(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  inProject: boolean,
): Promise<void> {
  const [organization] = await findOrganizations(ctx, [organizationId], tx);
  if (!organization) throw notFound('Organization');
  const membership = ctx.viewer.memberships.find((each) => each.organizationId === organizationId);
  const role = (inProject && membership?.projects?.role) || organization.viewerRole;
  if (role === 'GUEST')
    throw forbidden('Guests save no searches.', undefined, {
      rule: 'ORGANIZATION_ROLE',
      required: ['OWNER', 'ADMIN', 'MEMBER'],
    });
}

const update = z.strictObject({
  searchTemplateId: z.string(),
  organizationId: z.string().nullish(),
  name: name.nullish(),
  query: z.string().nullish(),
  filter: searchFilter.omit({ query: true }).nullish(),
  expectedVersion: z.int().nullish(),
});

/** Changes a saved search. Members left out, or null, stay; a filter replaces the whole filter. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
export function updateSearchTemplate(ctx: Context, input: z.input<typeof update>): Promise<SearchTemplate> {
  const { searchTemplateId: id, organizationId, name, query, filter, expectedVersion } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'search_templates', id);
    const [before] = await findSearchTemplates(ctx, [id], tx);
    if (!before || !isInPath(before, { organizationId })) throw notFound('Search template');
    await requireMember(ctx, tx, before.organizationId, before.projectId !== null);
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name, ...columns({ query, filter }) };
    await tx.prisma.searchTemplate.update({
      where: { id },
      data: {
        ...after,
        nameKey: normalizedKey(after.name),
        modifiedAt: new Date(),
        version: { increment: 1 },
      },
    });
    await recordEvents(ctx, tx, [subjectEvent(before, 'searchTemplate.updated', changes(before, after))]);
    return (await findSearchTemplates(ctx, [id], tx))[0] as SearchTemplate;
  });
}

const deletion = z.strictObject({
  searchTemplateIds: z.array(z.string()),
  organizationId: z.string().nullish(),
});

/** Deletes saved searches, all or none. Throws NOT_FOUND, and FORBIDDEN to guests. */
export function deleteSearchTemplates(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { searchTemplateIds, organizationId } = parse(deletion, input);
  requireBatchSize(searchTemplateIds, ctx.limits.batchMax, 'searchTemplateIds');
  const ids = [...new Set(searchTemplateIds)].sort();
  return inTransaction(ctx.db, async (tx) => {
    await tx.query(
      sql`SELECT s.id FROM ${tables.searchTemplates.from} WHERE s.id ${sql.any(ids)} ORDER BY s.id FOR UPDATE`,
    );
    const templates = (await findSearchTemplates(ctx, ids, tx)).filter((template) =>
      isInPath(template, { organizationId }),
    );
    requireFound('Search template', ids, templates, positionIn('searchTemplateIds', searchTemplateIds));
    for (const each of new Set(templates.map((row) => row.organizationId)))
      await requireMember(
        ctx,
        tx,
        each,
        templates.every((row) => row.organizationId !== each || row.projectId),
      );
    await tx.prisma.searchTemplate.deleteMany({ where: { id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      templates.map((each) => subjectEvent(each, 'searchTemplate.deleted', { before: { name: each.name } })),
    );
    return ids;
  });
}
