import { expect, it } from 'vitest';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { type Listing, listPages, type Parent } from '../../../src/domain/kernel/listing.ts';
import { countRows } from '../../../src/domain/kernel/listing-count.ts';
import { type Hit, hitsOf, type SearchOrder } from '../../../src/domain/search/search.ts';
import { facetsOf } from '../../../src/domain/search/search-facets.ts';
import { readSearch, type Search, type SearchFilter } from '../../../src/domain/search/search-query.ts';
import { mixedObjects } from '../../support/mixed-rights.ts';

type Hits = Listing<Hit, Search, SearchOrder>;

async function idsOf(ctx: Context, hits: Hits, parent: Parent, filter: Search, field: SearchOrder) {
  const args = { first: 200, filter, orderBy: { field, direction: 'ASC' as const } };
  return (await listPages(ctx, hits, [parent], args))[0]?.rows.map(({ id }) => id) ?? [];
}

/** Every query that can find the hits, separately. */
function waysOf(ctx: Context, hits: Hits, search: Search): Hits[] {
  const next = hits.sparse?.(ctx, search)?.fallback();
  return [{ ...hits, sparse: undefined }, ...(next ? waysOf(ctx, next, search) : [])];
}

it('a search has the same results from the query by order, by words, by filters or by viewer', async () => {
  const { org, people, projects, folders } = await mixedObjects();
  const [, , maker] = people;
  const [project] = projects;
  const fieldId = project?.id.replace('prj', 'fie') as string;
  const filters: SearchFilter[] = [
    {},
    { tags: ['RED'] },
    { fields: [{ fieldId, value: 'L2' }] },
    { fields: [{ fieldId, value: '2' }] },
    { fields: [{ fieldId, operator: 'AT_LEAST', value: '1' }] },
    { fields: [{ fieldId, operator: 'STARTS_WITH', value: 'l' }] },
    { createdById: maker?.id as string },
    { folderId: folders[1]?.id as string },
    { belowFolderId: folders[1]?.id as string },
    { projectIds: projects.slice(0, 2).map(({ id }) => id) },
    { kind: 'TASK' },
    { kind: 'FORM', states: ['SHARED'] },
    { states: ['RECYCLED'] },
    { states: ['ACTIVE', 'RECYCLED'], kind: 'DOCUMENT', tags: ['red'] },
  ];
  const lengths = new Set<number>();
  for (const person of people) {
    const context = await person.context();
    const ctx = { ...context, limits: { ...context.limits, pageSizeMax: 200 } };
    for (const scope of ['organization', 'project'] as const)
      for (const filter of [
        ...filters,
        ...filters.map((each) => ({ ...each, query: 'd1' })),
        { query: 'm -m1' },
      ]) {
        const search = readSearch(org, filter);
        const parent = { organizationId: org, id: scope === 'project' ? (project?.id as string) : org };
        const hits = hitsOf(ctx, scope, search, 'NAME');
        const ways = waysOf(ctx, hits, search);
        expect(ways.length).toBe(filter.query ? 3 : ways.length);
        const [ids = [], ...others] = await Promise.all(
          [...ways, hits].map((each) => idsOf(ctx, each, parent, search, 'NAME')),
        );
        const label = [filter, scope];
        for (const each of others) expect([...label, each]).toEqual([...label, ids]);
        if (filter.query) {
          const ranked = hitsOf(ctx, scope, search, 'RELEVANCE');
          expect((await idsOf(ctx, ranked, parent, search, 'RELEVANCE')).sort()).toEqual(ids.toSorted());
        }
        expect(await countRows(ctx, hits, [parent], search)).toEqual([{ count: ids.length, exact: true }]);
        const { KIND } = await facetsOf(ctx, scope, parent, search);
        expect(KIND.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
        lengths.add(ids.length);
      }
  }
  expect(lengths.size).toBeGreaterThan(10);
}, 180_000);
