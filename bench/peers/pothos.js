// What @pothos/plugin-prisma does by itself on the main path: organization, projects, documents and folders as relations that the
// plugin selects from the query in one statement for each level, visibility as the `query` of a relation. Served by GraphQL Yoga.
import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { createYoga } from 'graphql-yoga';
import { getDatamodel } from '../../dist/src/generated/pothos.js';
import { contextOf, prisma, resolvers, visibleProjects } from './graph.js';

const builder = new SchemaBuilder({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: prisma, dmmf: getDatamodel(), onUnusedQuery: null },
});

builder.scalarType('DateTime', { serialize: (value) => value.toISOString() });
builder.scalarType('BigInt', { serialize: Number });

const exposed = (t, names, type) => Object.fromEntries(names.map((name) => [name, t.expose(name, { type })]));

/** A list as `{ nodes, pageInfo }`; the rows are selected with one more than the page. */
const connectionOf = (name, node) =>
  builder.objectRef(`${name}Connection`).implement({
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: ({ rows, first }) => rows.slice(0, first) }),
      pageInfo: t.field({ type: PageInfo, resolve: (page) => page }),
    }),
  });

const PageInfo = builder.objectRef('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.boolean({ resolve: ({ rows, first }) => rows.length > first }),
    endCursor: t.string({ nullable: true, resolve: () => null }),
  }),
});

builder.prismaObject('User', {
  select: { id: true },
  fields: (t) => exposed(t, ['id', 'name', 'email'], 'String'),
});
builder.prismaObject('Folder', {
  select: { id: true },
  fields: (t) => exposed(t, ['id', 'name'], 'String'),
});
const Revision = builder.prismaObject('Revision', {
  select: { id: true },
  fields: (t) => ({
    ...exposed(t, ['id'], 'String'),
    ...exposed(t, ['number'], 'Int'),
    ...exposed(t, ['size'], 'BigInt'),
    ...exposed(t, ['createdAt'], 'DateTime'),
  }),
});

/** Events have no foreign key to what they are about: comments are loaded as by the other peers. */
const Comment = builder.objectRef('Comment').implement({
  fields: (t) => ({
    id: t.string({ resolve: resolvers.Comment.id }),
    text: t.string({ resolve: resolvers.Comment.text }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
const CommentConnection = connectionOf('Comment', Comment);

const page = (t) => ({ first: t.arg.int({ defaultValue: 25 }), after: t.arg.string() });

/** A list of a Prisma row as a relation, with what the caller may see. */
const related = (t, { type, name, node, query }) =>
  t.field({
    type,
    args: page(t),
    select: ({ first }, { user }, nested) => ({
      [name]: nested({ ...query(user), take: first + 1 }, ['nodes']),
    }),
    resolve: (row, { first }) => ({ rows: row[name], first, node }),
  });

const Document = builder.prismaObject('Document', {
  select: { id: true },
  fields: (t) => ({
    ...exposed(t, ['id', 'name', 'contentType'], 'String'),
    ...exposed(t, ['size'], 'BigInt'),
    ...exposed(t, ['version'], 'Int'),
    ...exposed(t, ['createdAt'], 'DateTime'),
    project: t.relation('project'),
    folder: t.relation('folder', { nullable: true }),
    createdBy: t.relation('createdBy'),
    currentRevision: t.field({
      type: Revision,
      select: (_, __, nested) => ({ revisions: nested({ orderBy: { number: 'desc' }, take: 1 }) }),
      resolve: ({ revisions }) => revisions[0],
    }),
    comments: t.field({
      type: CommentConnection,
      args: page(t),
      resolve: async ({ id }, { first }, { load }) => ({ rows: await load.comments.load(id), first }),
    }),
  }),
});
const DocumentConnection = connectionOf('Document', Document);

const Project = builder.prismaObject('Project', {
  select: { id: true },
  fields: (t) => ({
    ...exposed(t, ['id', 'name'], 'String'),
    viewerRole: t.string({
      select: { organizationId: true },
      resolve: (project, args, context) => resolvers.Project.viewerRole(project, args, context),
    }),
    documents: related(t, {
      type: DocumentConnection,
      name: 'documents',
      query: () => ({ where: { state: 'ACTIVE' }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
    }),
  }),
});
const ProjectConnection = connectionOf('Project', Project);

const Organization = builder.prismaObject('Organization', {
  select: { id: true },
  fields: (t) => ({
    ...exposed(t, ['id', 'name'], 'String'),
    projects: related(t, {
      type: ProjectConnection,
      name: 'projects',
      query: (user) => ({ where: visibleProjects(user), orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    }),
  }),
});

const byId = (t, type, find) =>
  t.prismaField({
    type,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _, { id }, { user }) => find(query, id, user),
  });

const OrganizationConnection = connectionOf('Organization', Organization);

const Viewer = builder.prismaObject('User', {
  select: { id: true },
  variant: 'Viewer',
  fields: (t) => ({
    ...exposed(t, ['id', 'name', 'email'], 'String'),
    organizations: t.field({
      type: OrganizationConnection,
      args: page(t),
      resolve: async (user, { first }) => ({
        rows: (await resolvers.Viewer.organizations(user, { first: first + 1 })).nodes,
        first,
      }),
    }),
  }),
});

builder.queryType({
  fields: (t) => ({
    viewer: t.field({ type: Viewer, resolve: (_, __, { user }) => user }),
    organization: byId(t, Organization, (query, id, { id: userId }) =>
      prisma.organization.findFirst({ ...query, where: { id, memberships: { some: { userId } } } }),
    ),
    project: byId(t, Project, (query, id, user) =>
      prisma.project.findFirst({ ...query, where: { id, ...visibleProjects(user) } }),
    ),
    document: byId(t, Document, (query, id, user) =>
      prisma.document.findFirst({ ...query, where: { id, project: visibleProjects(user) } }),
    ),
  }),
});

const yoga = createYoga({
  schema: builder.toSchema(),
  context: ({ request }) => contextOf(request.headers.get('authorization') ?? undefined),
});
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
