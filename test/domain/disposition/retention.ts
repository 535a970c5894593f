import { sql } from '../../../src/db/sql/sql.ts';
import { assignRetentionPolicy } from '../../../src/domain/disposition/assignment-change.ts';
import { disposeOfDocuments } from '../../../src/domain/disposition/dispose.ts';
import { createRetentionPolicy } from '../../../src/domain/disposition/policy-change.ts';
import { retentionsOf } from '../../../src/domain/retention/document-retention.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

type NewPolicy = Partial<Parameters<typeof createRetentionPolicy>[1]>;
type Scope = Parameters<typeof assignRetentionPolicy>[1]['scope'];

/** A world with documents, and what tests of retention do to them. */
export async function newRetentionWorld(...names: string[]) {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const documents = await newDocuments(
    ctx,
    project.id,
    names.map((name) => ({ name })),
  );
  const ids = documents.map(({ id }) => id);
  const idOf = (name: string) => ids[names.indexOf(name)] as string;
  return {
    ...world,
    ctx,
    ids,
    idOf,
    /** Creates a policy that purges a year after creation, unless told otherwise, and assigns it. */
    async policy(given: NewPolicy = {}, ...scopes: Scope[]) {
      const created = await createRetentionPolicy(ctx, {
        ...{ organizationId: organization.id, name: `Policy ${Math.random()}`, keep: 'P1Y' },
        ...{ startsFrom: 'CREATED', action: 'PURGE', ...given },
      });
      for (const scope of scopes) await assignRetentionPolicy(ctx, { policyId: created.id, scope });
      return created;
    },
    /** As if the documents had been created so many days earlier. */
    async age(days: number, ...documentIds: string[]): Promise<void> {
      await db.query(
        sql`UPDATE documents d SET created_at = created_at - make_interval(days => ${days}::int) WHERE d.id ${sql.any(documentIds)}`,
      );
    },
    /** What the server does of itself; then the names of the documents that are left. */
    async dispose(): Promise<string[]> {
      await disposeOfDocuments(ctx);
      const left = await db.prisma.document.findMany({
        where: { id: { in: ids } },
        orderBy: { name: 'asc' },
      });
      return left.map(({ name }) => name);
    },
    /** The states that policies give these documents. */
    async states(...documentIds: string[]) {
      const found = await retentionsOf(
        db,
        documentIds.map((id) => ({ organizationId: organization.id, id })),
      );
      return documentIds.map((id) => found.get(id)?.state ?? null);
    },
  };
}
