import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { currentRevision } from '../../../src/domain/documents/document.ts';
import type { DocumentOrder } from '../../../src/domain/documents/document-filter.ts';
import { documentsOfProject, documentsOfViewer } from '../../../src/domain/documents/document-list.ts';
import { eventsOfOrganization } from '../../../src/domain/events/event-feed.ts';
import { findFolders } from '../../../src/domain/folders/folder.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { fallbackOf, type Listing, listPages } from '../../../src/domain/kernel/listing.ts';
import { relationByColumn } from '../../../src/domain/kernel/relation.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { findAuthors } from '../../../src/domain/users/user.ts';
import type { Project } from '../../../src/generated/prisma/client.ts';
import { explaining } from '../../support/plans.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

type AnyListing = Listing<{ id: string }, object, string>;

/** Lists that are sorted without an index, and why they are short. */
const SORTED: Record<string, string> = {
  applicationsOfOrganization: 'as many as the applications of others that its members use',
  approvalsOfRun: 'a process has at most 20 steps',
  approvalsOfViewer: 'as many as wait for one person',
  assignmentsOfPolicy: 'an organization has at most 1,000 of all its policies',
  authorizationsOfViewer: 'as many as the applications that one person allowed something',
  fieldsOfSigning: 'as many as one person fills in on one document',
  formsSharedWithViewer: 'as many as were shared with one person',
  mailsOfOutbox: 'an outbox keeps 1,000 mails',
  membersKnown: 'as many as a guest knows of an organization',
  organizationsOfViewer: 'as many as one person belongs to',
  projectsSeen: 'as many as one person takes part in: asked where these are few of those of an organization',
  tasksOfDocument: 'as many as one document is linked to',
  usersOfApplication: 'as many as the members of one organization who allow one application',
};

const DOCUMENT_ORDERS = Object.keys(documentsOfProject.sorts) as DocumentOrder[];

const isListing = (value: unknown): value is AnyListing =>
  typeof value === 'object' && value !== null && 'sorts' in value && 'where' in value && 'from' in value;

/** Every list in each of its orders: the exports of domain/, and the lists that depend on the viewer. */
async function listsFor(ctx: Context, organizationId: string): Promise<[AnyListing, string][]> {
  const folder = new URL('../../../src/domain/', import.meta.url);
  const all: AnyListing[] = [eventsOfOrganization(ctx, organizationId) as AnyListing];
  for (const file of (await readdir(folder, { recursive: true })).filter((each) => each.endsWith('.ts')))
    all.push(...Object.values(await import(new URL(file, folder).href)).filter(isListing));
  const chosen = DOCUMENT_ORDERS.map((field) => [documentsOfViewer(ctx, {}), field] as never);
  const others = all.flatMap((each) => (each.sparse ? fallbackOf(ctx, each, {}) : []));
  return [
    ...[...all, ...others].flatMap((each) => Object.keys(each.sorts).map((field) => [each, field] as never)),
    ...chosen,
  ];
}

/** The number of sorts of few rows: the merge of parts, the merge of two lists, and the rows of the viewer. */
const shortSortsOf = ({ parts, union }: AnyListing): number =>
  (parts ? 1 : 0) + (union ? 1 + Math.max(shortSortsOf(union.listing), 1) : 0);

/** So that a plan has them only where there is no other way: of small tables PostgreSQL may prefer them at any time. */
async function turnOff(tx: Transaction, ways: readonly string[]): Promise<void> {
  for (const way of ways) await tx.query(sql`SELECT set_config(${`enable_${way}`}, 'off', true)`);
}

/** Names of the lists that PostgreSQL sorts completely although sorting is disabled. */
async function sortedLists(ctx: Context, parent: { organizationId: string; id: string }): Promise<string[]> {
  const sorted: string[] = [];
  await inTransaction(ctx.db, async (tx) => {
    await turnOff(tx, ['sort', 'incremental_sort', 'seqscan', 'bitmapscan']);
    for (const [listing, field] of await listsFor(ctx, parent.organizationId)) {
      const { reader, lines } = explaining(tx);
      const args = { first: 25, filter: {}, orderBy: { field, direction: 'DESC' as const } };
      await listPages(ctx, listing, [parent], args, { reader });
      const sorts = lines.filter((line) => /-> +(Incremental )?Sort /.test(line));
      if (sorts.length > shortSortsOf(listing)) sorted.push(listing.name);
    }
  });
  return sorted;
}

it('every list that can grow long has an index for each of its orders', async () => {
  const { db, owner, organization, project } = await newWorld();
  const member = await newMember(db, organization.id, 'MEMBER');
  const part = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  const [restricted] = await createProjects(await owner.context(), {
    organizationId: organization.id,
    projects: [{ name: 'Restricted', access: 'RESTRICTED' }],
  });
  for (const person of [part, guest]) await joinProject(db, restricted as Project, person, 'EDITOR');
  const sorted: string[] = [];
  for (const person of [owner, member, part, guest])
    for (const { id } of [organization, project])
      sorted.push(...(await sortedLists(await person.context(), { organizationId: organization.id, id })));
  expect([...new Set(sorted)].sort()).toEqual(Object.keys(SORTED));
});

it('the relations of rows are looked up only for the rows of the page, in their order', async () => {
  const { db, owner, organization, project } = await newWorld();
  const member = await newMember(db, organization.id, 'MEMBER');
  const relations = [
    currentRevision,
    relationByColumn('folder_id', findFolders),
    relationByColumn('created_by_id', findAuthors),
  ];
  const args = {
    first: 25,
    filter: {},
    orderBy: { field: 'CREATED_AT' as const, direction: 'DESC' as const },
  };
  for (const person of [owner, member]) {
    const ctx = await person.context();
    await inTransaction(db, async (tx) => {
      await turnOff(tx, ['sort', 'seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']);
      const { reader, lines } = explaining(tx);
      await listPages(ctx, documentsOfProject, [project], args, { reader, relations });
      expect(lines.filter((line) => /Hash|Merge|Seq Scan|Sort/.test(line))).toEqual([]);
      for (const table of ['revisions', 'folders', 'users'])
        expect(lines.filter((line) => line.includes(` on ${table} `))).toEqual([
          expect.stringMatching(/Index Scan using \w+ on/),
        ]);
    });
  }
});
