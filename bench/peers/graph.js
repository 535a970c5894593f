// What Apollo Server, GraphQL Yoga and Mercurius serve: one schema with plain Prisma resolvers and dataloaders, as their
// documentation shows them. A list below many parents is one findMany with a nested take.
import { createHash, randomBytes } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import DataLoader from 'dataloader';
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { PrismaClient } from '../../dist/src/generated/prisma/client.js';

export const prisma = new PrismaClient({
  adapter: new PrismaPg({
    connectionString: process.env.DATABASE_URL,
    max: Number(process.env.DATABASE_POOL),
  }),
});

export const typeDefs = `
scalar DateTime
scalar BigInt
type User { id: ID! name: String! email: String! }
type Organization { id: ID! name: String! projects(first: Int): ProjectConnection! }
type OrganizationConnection { nodes: [Organization!]! }
type Viewer { id: ID! name: String! email: String! organizations(first: Int): OrganizationConnection! }
type Project { id: ID! name: String! viewerRole: String! documents(first: Int, after: String): DocumentConnection! }
type ProjectConnection { nodes: [Project!]! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type DocumentConnection { nodes: [Document!]! pageInfo: PageInfo! }
type Folder { id: ID! name: String! }
type Revision { id: ID! number: Int! size: BigInt! createdAt: DateTime! }
type Comment { id: ID! text: String! createdAt: DateTime! }
type CommentConnection { nodes: [Comment!]! }
type Document {
  id: ID! name: String! contentType: String! size: BigInt! version: Int! createdAt: DateTime!
  project: Project! folder: Folder createdBy: User! currentRevision: Revision! comments(first: Int): CommentConnection!
}
type Task { id: ID! name: String! }
input NewTask { name: String! }
input CreateTasksInput { projectId: ID! tasks: [NewTask!]! }
type CreateTasksPayload { tasks: [Task!]! }
input CreateCommentsInput { documentId: ID! texts: [String!]! }
type CommentsPayload { comments: [Comment!]! }
type Query { viewer: Viewer! organization(id: ID!): Organization project(id: ID!): Project document(id: ID!): Document }
type Mutation {
  createTasks(input: CreateTasksInput!): CreateTasksPayload!
  createComments(input: CreateCommentsInput!): CommentsPayload!
}`;

const hash = (text) => createHash('sha256').update(text).digest();
const newId = (prefix) => `${prefix}_0${randomBytes(13).toString('hex').slice(0, 25)}`;

/** Each request reads the key and the memberships anew. */
export async function contextOf(authorization = '') {
  const key = await prisma.apiKey.findUnique({
    where: { secretHash: hash(authorization.slice('Bearer '.length)) },
    include: { user: { include: { membershipUser: true } } },
  });
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt < new Date()) || key.user.disabledAt)
    throw new GraphQLError('No live credential.');
  return { user: key.user, load: loaders(key.user) };
}

const organizationsWith = (user, ...roles) =>
  user.membershipUser.filter(({ role }) => roles.includes(role)).map(({ organizationId }) => organizationId);

export const visibleProjects = (user) => ({
  OR: [
    { organizationId: { in: organizationsWith(user, 'OWNER', 'ADMIN') } },
    { access: 'OPEN', organizationId: { in: organizationsWith(user, 'MEMBER') } },
    { members: { some: { userId: user.id } } },
  ],
});

/** One loader for each kind of thing, by what `keyOf` says. */
const loader = (find, keyOf = (row) => row.id) =>
  new DataLoader(async (ids) => {
    const rows = new Map((await find({ in: [...ids] })).map((row) => [keyOf(row), row]));
    return ids.map((id) => rows.get(id) ?? null);
  });

function loaders(user) {
  const lists = new Map();
  const list = (key, make) => lists.get(key) ?? lists.set(key, make()).get(key);
  const visible = visibleProjects(user);
  return {
    project: loader((id) => prisma.project.findMany({ where: { id, ...visible } })),
    folder: loader((id) => prisma.folder.findMany({ where: { id, project: visible } })),
    user: loader((id) => prisma.user.findMany({ where: { id } })),
    document: loader((id) => prisma.document.findMany({ where: { id, project: visible } })),
    revision: loader(
      (documentId) => prisma.revision.findMany({ where: { documentId }, orderBy: { number: 'asc' } }),
      (row) => row.documentId,
    ),
    documents: ({ first = 25, after }) =>
      list(`documents ${first} ${after}`, () =>
        loader((id) =>
          prisma.project.findMany({
            where: { id },
            select: {
              id: true,
              documents: {
                where: { state: 'ACTIVE', ...beyond(after) },
                orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
                take: first + 1,
              },
            },
          }),
        ),
      ),
    comments: list('comments', () => new DataLoader(commentsOf)),
  };
}

/** Cursors as Docgraph writes them: base64url of the last item's time and id. */
const cursorOf = (row) => row && Buffer.from(JSON.stringify([row.createdAt, row.id])).toString('base64url');

function beyond(cursor) {
  if (!cursor) return {};
  const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

/** Events have no foreign key to what they are about, so Prisma cannot nest them. */
async function commentsOf(ids) {
  const rows = await prisma.event.findMany({
    where: { subjectId: { in: [...ids] }, kind: 'document.commented' },
    orderBy: { sequence: 'asc' },
  });
  return ids.map((id) => rows.filter((row) => row.subjectId === id));
}

const roleIn = (user, { organizationId }) =>
  organizationsWith(user, 'OWNER', 'ADMIN').includes(organizationId) ? 'ADMIN' : 'EDITOR';

/** One event for each thing that was made, numbered without gaps. */
async function record(tx, user, organizationId, occurrences) {
  const { sequence } = await tx.eventHead.update({
    where: { organizationId },
    data: { sequence: { increment: occurrences.length }, hash: hash(JSON.stringify(occurrences)) },
  });
  const first = sequence - BigInt(occurrences.length) + 1n;
  const events = occurrences.map((each, index) => ({
    ...each,
    organizationId,
    id: newId('evt'),
    sequence: first + BigInt(index),
    actorId: user.id,
    createdAt: new Date(),
    hash: hash(JSON.stringify(each)),
  }));
  await tx.event.createMany({ data: events });
  return events;
}

function createTasks(_, { input }, { user }) {
  return prisma.$transaction(async (tx) => {
    const project = await tx.project.findFirst({ where: { id: input.projectId, ...visibleProjects(user) } });
    if (!project) throw new GraphQLError('Project not found.');
    const { id: projectId, organizationId } = project;
    const tasks = input.tasks.map(({ name }) => ({
      organizationId,
      id: newId('tsk'),
      projectId,
      name,
      nameKey: name.toLowerCase(),
      createdById: user.id,
    }));
    await tx.task.createMany({ data: tasks });
    const events = tasks.map(({ id, name }) => ({
      projectId,
      subjectId: id,
      kind: 'task.created',
      data: { after: { name } },
    }));
    await record(tx, user, organizationId, events);
    return { tasks };
  });
}

function createComments(_, { input }, { user }) {
  return prisma.$transaction(async (tx) => {
    const document = await tx.document.findFirst({
      where: { id: input.documentId, state: 'ACTIVE', project: visibleProjects(user) },
    });
    if (!document) throw new GraphQLError('Document not found.');
    const { id: subjectId, projectId, organizationId } = document;
    const events = input.texts.map((text) => ({
      projectId,
      subjectId,
      kind: 'document.commented',
      data: { text },
    }));
    return { comments: await record(tx, user, organizationId, events) };
  });
}

export const resolvers = {
  DateTime: new GraphQLScalarType({ name: 'DateTime', serialize: (value) => value.toISOString() }),
  BigInt: new GraphQLScalarType({ name: 'BigInt', serialize: Number }),
  Query: {
    viewer: (_, __, { user }) => user,
    organization: (_, { id }, { user }) =>
      prisma.organization.findFirst({ where: { id, memberships: { some: { userId: user.id } } } }),
    project: (_, { id }, { load }) => load.project.load(id),
    document: (_, { id }, { load }) => load.document.load(id),
  },
  Mutation: { createTasks, createComments },
  Viewer: {
    organizations: async ({ id }, { first = 25 }) => ({
      nodes: await prisma.organization.findMany({
        where: { memberships: { some: { userId: id } } },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: first,
      }),
    }),
  },
  Organization: {
    projects: async ({ id }, { first = 25 }, { user }) => ({
      nodes: await prisma.project.findMany({
        where: { organizationId: id, ...visibleProjects(user) },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: first,
      }),
    }),
  },
  Project: {
    viewerRole: (project, _, { user }) => roleIn(user, project),
    documents: async ({ id }, { first = 25, after }, { load }) => {
      const { documents } = await load.documents({ first, after }).load(id);
      const nodes = documents.slice(0, first);
      return {
        nodes,
        pageInfo: { hasNextPage: documents.length > first, endCursor: cursorOf(nodes.at(-1)) },
      };
    },
  },
  Document: {
    project: ({ projectId }, _, { load }) => load.project.load(projectId),
    folder: ({ folderId }, _, { load }) => (folderId ? load.folder.load(folderId) : null),
    createdBy: ({ createdById }, _, { load }) => load.user.load(createdById),
    currentRevision: ({ id }, _, { load }) => load.revision.load(id),
    comments: async ({ id }, { first = 25 }, { load }) => ({
      nodes: (await load.comments.load(id)).slice(0, first),
    }),
  },
  Comment: { id: ({ id }) => `cmt${id.slice(3)}`, text: ({ data }) => data.text },
};
