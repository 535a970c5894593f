import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { visibleEvents } from '../../src/domain/access/access-event.ts';
import { eventsOfOrganization } from '../../src/domain/events/event-feed.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { listPages } from '../../src/domain/kernel/listing.ts';
import { tables } from '../../src/domain/kernel/tables.ts';
import { joinProject } from '../support/world.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

/** All sequences of the feed, in pages of 40. */
async function sequences(ctx: Context, id: string): Promise<bigint[]> {
  const all: bigint[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const args = { first: 40, after, filter: {}, orderBy: { field: 'SEQUENCE', direction: 'ASC' } as const };
    const parents = [{ organizationId: id, id }];
    const [page] = await listPages(ctx, eventsOfOrganization(ctx, id), parents, args);
    all.push(...(page?.rows.map(({ sequence }) => sequence) ?? []));
    after = page?.rows.length ? String(all.at(-1)) : undefined;
    more = page?.hasNextPage === true;
  }
  return all;
}

async function requireFeed(who: 'owner' | 'admin' | 'member' | 'guest', least: number) {
  const { db, a, b } = s;
  const ctx = await a[who].context();
  const visible = await db.query<{ sequence: bigint }>(sql`SELECT e.sequence FROM ${tables.events.from}
    WHERE e.organization_id = ${a.organization.id} AND ${visibleEvents(ctx.viewer, tables.events)} ORDER BY e.sequence`);
  expect(visible.length).toBeGreaterThan(least);
  expect(await sequences(ctx, a.organization.id)).toEqual(visible.map(({ sequence }) => sequence));
  expect(await sequences(ctx, b.organization.id)).toEqual([]);
}

it.each([
  'owner',
  'admin',
  'member',
  'guest',
] as const)('the event feed of the %s has exactly the events that the access rule allows', (who) =>
  requireFeed(who, who === 'guest' ? 0 : 40));

it('the event feed of a guest has the events of projects they were added to', async () => {
  const { db, a } = s;
  const id = await joinProject(db, { ...a.project, createdById: a.owner.id }, a.guest, 'VIEWER');
  await requireFeed('guest', 40).finally(() => db.prisma.projectMember.delete({ where: { id } }));
});
