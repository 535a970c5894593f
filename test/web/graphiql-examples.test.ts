import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { recordEvents, serverActor } from '../../src/domain/kernel/audit.ts';
import { newId } from '../../src/lib/id.ts';
import type { PreparedExample } from '../../src/web/graphiql/examples.ts';
import { preparedExamples } from '../../src/web/graphiql/examples.ts';
import { type Answer, newWorld } from '../support/world.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const examples = preparedExamples({});
const isSubscription = ({ query }: PreparedExample) => /^subscription /m.test(query);

interface Owned {
  organizationId: string;
  projectId: string;
  userId: string;
}

/** A document as an upload leaves it, without the bytes. */
async function newDocument(db: Database, { organizationId, projectId, userId }: Owned): Promise<string> {
  const [id, blobId] = [newId('Document'), newId('Blob')];
  const content = { contentType: 'application/pdf', size: 9n };
  const named = { organizationId, name: 'Plan.pdf', createdById: userId, ...content };
  await db.prisma.blob.create({
    data: { organizationId, id: blobId, sha256: new Uint8Array(32), ...content },
  });
  await db.prisma.document.create({
    data: { ...named, id, projectId, nameKey: 'plan.pdf', revisionNumber: 1 },
  });
  await db.prisma.revision.create({
    data: { ...named, id: newId('Revision'), documentId: id, blobId, number: 1 },
  });
  const event = { organizationId, projectId, subjectId: id, kind: 'document.created', data: {} };
  await inTransaction(db, (tx) => recordEvents(serverActor('test'), tx, [event]));
  return id;
}

describe('an example of GraphiQL', () => {
  let run: (example: string) => Promise<Answer>;

  beforeAll(async () => {
    const { db, owner, organization, project } = await newWorld();
    const own = { organizationId: organization.id, projectId: project.id };
    const ids = { ...own, documentId: await newDocument(db, { ...own, userId: owner.id }) };
    const prepared = new Map(preparedExamples(ids).map((each) => [each.name, each]));
    run = async (name) => {
      const { query, variables } = prepared.get(name) as PreparedExample;
      return owner.graph(query, JSON.parse(variables ?? '{}'));
    };
  });

  it('has a name of its own, which links use', () => {
    const names = examples.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([]);
  });

  it.each(examples)('$name is valid, and has the variables that it declares', ({ query, variables }) => {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const declared = document.definitions.flatMap((each) =>
      'variableDefinitions' in each ? (each.variableDefinitions ?? []) : [],
    );
    expect(Object.keys(JSON.parse(variables ?? '{}'))).toEqual(
      declared.map(({ variable }) => variable.name.value),
    );
  });

  it.each(examples.filter((each) => !isSubscription(each)))('$name runs', async ({ name }) => {
    const { data, errors } = await run(name);
    expect([errors, typeof data]).toEqual([undefined, 'object']);
  });
});
