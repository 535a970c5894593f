import { type GraphQLObjectType, getNamedType, isCompositeType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import { type IdType, typeOfId } from '../../src/lib/id.ts';
import { idsIn } from './expected-access.ts';
import { type Fixture, type Principal, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { NODES } from './graph-facts.ts';
import { isEdges, selectionOf, sendGraph } from './requests.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

const typeOfIds = new Map(Object.entries(NODES).map(([type, { idType }]) => [idType, type]));

/** Objects visited of each type: more lead to the same edges. */
const OBJECTS_PER_TYPE = 4;

/** The result of a walk: the ids it found, and the edges that led to an object. */
interface Walk {
  ids: Set<string>;
  edges: Set<string>;
}

/** Follows every edge without required arguments, from the viewer and then from each object found, until nothing is new. */
async function walk(principal: Principal, levels: number): Promise<Walk> {
  const walk: Walk = { ids: new Set(), edges: new Set() };
  const look = async (query: string, variables: object) => {
    const { body } = await sendGraph(s.app, query, variables, s.credentials[principal]);
    expect(body.errors?.[0].extensions.code, query).not.toBe('COST_LIMIT_EXCEEDED');
    note(body.data, walk);
    for (const id of idsIn(body.data)) walk.ids.add(id);
    return Boolean(body.data?.node);
  };
  for (const field of Object.values((schema.getType('Viewer') as GraphQLObjectType).getFields()))
    if (isCompositeType(getNamedType(field.type)))
      await look(`{ viewer { __typename ${field.name} ${selectionOf(field.type, levels, isEdges)} } }`, {});
  const visits = new Map<string, number>();
  for (const id of walk.ids) {
    const type = typeOfIds.get(typeOfId(id) as IdType);
    if (!type || (visits.get(type) ?? 0) >= OBJECTS_PER_TYPE) continue;
    if (await look(nodeQuery(type, levels), { id })) visits.set(type, (visits.get(type) ?? 0) + 1);
  }
  await look(SIGNING, s.a.at);
  await look(PURGING, s.a.at);
  await look(FILED, s.a.at);
  await look(BY_APPLICATION, s.a.at);
  await look(REDACTED, s.a.at);
  await look(APPLICATIONS, s.a.at);
  await look(OWN, s.a.at);
  await look(WEBHOOKS, s.a.at);
  await look(STAMPED, s.a.at);
  await look(FILES, s.a.at);
  return walk;
}

const nodeQuery = (type: string, levels: number): string =>
  `query ($id: ID!) { node(id: $id) { ... on ${type} ${selectionOf(schema.getType(type) as GraphQLObjectType, levels, isEdges)} } }`;

const SIGNING = `query ($documentSignatureSessionId: ID!, $documentSignatureSessionRecipientId: ID!) {
  signing(sessionId: $documentSignatureSessionId, recipientId: $documentSignatureSessionRecipientId)
  ${selectionOf(schema.getType('Signing') as GraphQLObjectType, 2, isEdges)} }`;

const PURGING = `query ($recycled: ID!) { purgePlan(ids: [$recycled]) { __typename document { id } } }`;

const FILED = `query ($submission: ID!) { node(id: $submission) { ... on FormSubmission {
  document { __typename formSubmission { __typename id } } } } }`;

const BY_APPLICATION = `query ($documentId: ID!) { document(id: $documentId) {
  events(last: 1) { nodes { __typename application { __typename clientId } } } } }`;

const REDACTED = `query ($spareDocument: ID!) { document(id: $spareDocument) {
  events(first: 10) { nodes { __typename redaction { __typename id } } } } }`;

const APPLICATIONS = `query ($organizationId: ID!, $foreignClient: ID!) { organization(id: $organizationId) { __typename
  applications { __typename nodes { __typename clientId } }
  application(clientId: $foreignClient) { __typename decidedBy { __typename id } requestedBy { __typename id }
    users { __typename pageInfo { __typename hasNextPage } nodes { __typename user { __typename id } } } } } }`;

const OWN = `query ($spareProject: ID!, $other: ID!, $membership: ID!) {
  project(id: $spareProject) { __typename viewerMembership { __typename id } }
  document(id: $other) { __typename viewerFollow { __typename id } }
  node(id: $membership) { __typename ... on OrganizationMember { substitute { __typename user { __typename id } } } } }`;

const WEBHOOKS = `query ($organizationId: ID!, $webhook: ID!) {
  organization(id: $organizationId) { __typename webhookPreview(query: "{ nothing }") { __typename errors { __typename message } } }
  node(id: $webhook) { __typename ... on Webhook { signatureCheck(body: "{}", signature: "t=1,v1=0") { __typename } } } }`;

const STAMPED = `query ($organizationId: ID!, $stampedEvent: ID!) { organization(id: $organizationId) {
  __typename logInclusion(eventId: $stampedEvent) { __typename sequence } } }`;

const FILES = `query ($unrendered: ID!, $legible: ID!) {
  document(id: $unrendered) { __typename currentRevision { __typename rendition { __typename state } } }
  legible: document(id: $legible) { __typename currentRevision { __typename textPieces { __typename nodes { __typename text } } } } }`;

/** Records every field of an object that led to an object. */
function note(value: unknown, walk: Walk): void {
  if (Array.isArray(value)) for (const each of value) note(each, walk);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  const { __typename } = value as { __typename?: string };
  for (const [name, below] of Object.entries(value)) {
    const [first] = [below].flat();
    if (first !== null && typeof first === 'object') walk.edges.add(`${__typename}.${name}`);
    note(below, walk);
  }
}

/** The edges of the schema, without those of pages and payloads. */
const edges = Object.values(schema.getTypeMap())
  .filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) &&
      !/^__|Edge$|Payload$|^(?:Query|Mutation|Subscription|Created\w+)$/.test(type.name),
  )
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isCompositeType(getNamedType(field.type)) && field.name !== 'edges')
      .map((field) => `${type.name}.${field.name}`),
  );

/** What prevents the erasure of an account, which the fixture's owner may erase (test/graph/schema/accounts/erasure.test.ts has one), and what failed of a batch. */
const UNREACHED = [
  'BatchResult.error',
  'ErasurePlan.obstacles',
  // Behind an argument that is required: test/graph/schema/history/diff.test.ts.
  'ItemChange.after',
  'ItemChange.before',
  'ItemChange.events',
  'ItemChangeConnection.nodes',
  'ItemChangeConnection.pageInfo',
  'Project.diff',
  // Likewise: test/domain/disposition/preview.test.ts.
  'RetentionPreview.documents',
];

const everythingOf = (tenant: 'a' | 'b') => Object.values(s[tenant].ids).flat();

/** Objects hidden from a member: the owner's private ones, and invitations. */
const PRIVATE_TO_OWNER = [
  'webhook',
  'delivery',
  'searchTemplate',
  'follow',
  'notification',
  'openedDocument',
  'apiKey',
  'invitation',
  'offered',
  'upload',
  'gone',
];

/** The ids of all that belongs to no such project, without events and time-stamps of the organization itself. */
async function outside(projectId: string, seen: readonly string[]): Promise<string[]> {
  const events = await s.db.prisma.event.findMany({
    where: { OR: [{ projectId }, { subjectId: { in: [projectId, ...seen] } }] },
  });
  const inside = await s.db.query<{ id: string }>(sql`
    SELECT id FROM documents WHERE project_id = ${projectId} UNION ALL SELECT id FROM tasks WHERE project_id = ${projectId}
    UNION ALL SELECT r.id FROM revisions r JOIN documents d ON d.id = r.document_id WHERE d.project_id = ${projectId}
    UNION ALL SELECT n.id FROM opened_documents n JOIN documents d ON d.id = n.document_id WHERE d.project_id = ${projectId}
    UNION ALL SELECT id FROM log_anchors UNION ALL SELECT id FROM memberships WHERE user_id = ANY(${seen})`);
  const allowed = new Set([projectId, ...seen, ...[...events, ...inside].map(({ id }) => id)]);
  return everythingOf('a').filter((id) => !allowed.has(id));
}

/** Timeout of a walk on a busy machine, in milliseconds. */
const WALK_TIMEOUT_MS = 120_000;

describe('objects reachable by walking the graph', { timeout: WALK_TIMEOUT_MS }, () => {
  it('are on every edge of the schema in this fixture', async () => {
    const reached = await walk('session', 2);
    expect(edges.filter((edge) => !reached.edges.has(edge))).toEqual(UNREACHED);
    expect(everythingOf('b').filter((id) => reached.ids.has(id))).toEqual([]);
  });

  it('include nothing of another tenant, and nothing private to the owner, for a member', async () => {
    const { ids } = await walk('member', 2);
    expect(everythingOf('b').filter((id) => ids.has(id))).toEqual([]);
    expect(PRIVATE_TO_OWNER.filter((name) => ids.has(s.a.at[name] as string))).toEqual([]);
  });

  it('are the organization, its events and time-stamps, and themselves, for a guest', async () => {
    const { a } = s;
    const { ids } = await walk('guest', 3);
    const own = await a.guest.graph(
      '{ viewer { user { id } apiKeys { nodes { id } } organizations { nodes { id viewerMembership { id } createdBy { id } } } } }',
    );
    const ownEvents = await s.db.prisma.event.findMany({ where: { subjectId: a.organization.id } });
    // The event of its start names the export, which only owners see.
    const named = [a.at.logAnchor, a.at.organizationExport] as string[];
    const allowed = [...idsIn(own.data), ...ownEvents.map(({ id }) => id), ...named];
    expect([...ids].sort()).toEqual([...new Set(allowed)].sort());
  });

  it('are those of a guest, the project and its content, for an application limited to the project', async () => {
    const { at, organization, owner, limitedClientId } = s.a;
    const { ids } = await walk('limitedApplication', 2);
    const others = await outside(at.reachedProject as string, [organization.id, owner.id, limitedClientId]);
    expect(others.filter((id) => ids.has(id))).toEqual([]);
    expect([at.reachedProject, at.reachedDocument].filter((id) => !ids.has(id as string))).toEqual([]);
  });

  it('include nothing of the tenant, for a user of another one', async () => {
    const { ids } = await walk('stranger', 2);
    expect(everythingOf('a').filter((id) => ids.has(id))).toEqual([]);
  });
});
