import {
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/graph/schema/schema.ts';
import type { IdType } from '../../../src/lib/id.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from '../../matrix/fixture.ts';
import { NODES } from '../../matrix/graph-facts.ts';
import { isEdges, selectionOf, sendGraph } from '../../matrix/requests.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

/** Objects of each type that are selected: one may lack what another has. */
const OBJECTS_PER_TYPE = 20;

/** Fields that were answered, as `Type.field`. */
const answered = new Set<string>();

function note(value: unknown): void {
  if (Array.isArray(value)) for (const each of value) note(each);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  const { __typename } = value as { __typename?: string };
  for (const [name, below] of Object.entries(value)) {
    answered.add(`${__typename}.${name}`);
    note(below);
  }
}

/** Other members have objects of their own, which the owner does not see. */
const isHidden = ({ path, extensions }: { path: string[]; extensions: { code: string } }) =>
  path.join() === 'node' && extensions.code === 'NOT_FOUND';

async function select(query: string, variables: object): Promise<void> {
  const { body } = await sendGraph(s.app, query, variables, s.credentials.session);
  expect(
    (body.errors ?? []).filter((error: never) => !isHidden(error)),
    query,
  ).toEqual([]);
  note(body.data);
}

const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

const idsOf = (type: string): string[] => {
  const { idType, at } = NODES[type] ?? {};
  const others = s.b.ids[idType as IdType] ?? [];
  const own = (s.a.ids[idType as IdType] ?? []).filter((id) => !others.includes(id));
  const first = at ? [s.a.at[at] as string] : [];
  return [...new Set([...first, ...own])].slice(0, OBJECTS_PER_TYPE);
};

/** What no id leads to, or only an argument. */
const OTHERS = [
  `{ viewer ${selectionOf(typeOf('Viewer'), 2, isEdges)} errorCodes deprecations { __typename name since removal instead } scopeReach { __typename scopes fields routes } }`,
  `query ($documentSignatureSessionId: ID!, $documentSignatureSessionRecipientId: ID!) {
    signing(sessionId: $documentSignatureSessionId, recipientId: $documentSignatureSessionRecipientId)
    ${selectionOf(typeOf('Signing'), 2, isEdges)} }`,
  `query ($organizationId: ID!) { organization(id: $organizationId) {
    one: webhookPreview ${selectionOf(typeOf('NewWebhookPreview'), 1, isEdges)}
    other: webhookPreview(query: "{ nothing }") { errors { __typename message line column } } } }`,
  `query ($webhook: ID!) { node(id: $webhook) { ... on Webhook {
    signatureCheck(signature: "t=1", body: "{}") ${selectionOf(typeOf('WebhookSignatureCheck'), 1, isEdges)} } } }`,
  `query ($organizationId: ID!, $stampedEvent: ID!) { organization(id: $organizationId) {
    logConsistency(from: 1, to: 1) logInclusion(eventId: $stampedEvent) ${selectionOf(typeOf('LogInclusion'), 1, isEdges)} } }`,
  `query ($projectId: ID!) { project(id: $projectId) {
    diff(from: { sequence: 0 }) ${selectionOf(typeOf('ItemChangeConnection'), 2, isEdges)} } }`,
  `query ($recycled: ID!) { purgePlan(ids: [$recycled]) ${selectionOf(typeOf('PurgePlan'), 2, isEdges)} }`,
  `query ($organizationId: ID!) { retentionPreview(input: { organizationId: $organizationId })
    ${selectionOf(typeOf('RetentionPreview'), 2, isEdges)} }`,
];

/** The types of objects that queries lead to. */
function reachable(type: GraphQLObjectType, found: Set<GraphQLObjectType>): Set<GraphQLObjectType> {
  if (found.has(type)) return found;
  found.add(type);
  for (const field of Object.values(type.getFields())) {
    const next = getNamedType(field.type);
    const below = isAbstractType(next) ? schema.getPossibleTypes(next) : isObjectType(next) ? [next] : [];
    for (const each of below) reachable(each, found);
  }
  return found;
}

/** Their fields without required arguments. `edges` have the same objects as `nodes`. */
const fields = [...reachable(typeOf('Query'), new Set())]
  // Callers of the fixture have no limits, so `rateLimit` is null, and its owner may erase the account.
  .filter(({ name }) => !/Edge$|^Query$|^RateLimit$|^ErasureObstacle$/.test(name))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ name, args }) => name !== 'edges' && !args.some(isRequiredArgument))
      .map(({ name }) => `${type.name}.${name}`),
  );

describe('every field of every type', () => {
  it('is answered without an error, also once its statements have names and their rows come in binary', async () => {
    for (const query of OTHERS) await select(query, s.a.at);
    for (const type of Object.keys(NODES))
      for (const id of idsOf(type))
        await select(
          `query ($id: ID!) { node(id: $id) { ... on ${type} ${selectionOf(typeOf(type), 2, isEdges)} } }`,
          { id },
        );
    expect(fields.filter((field) => !answered.has(field))).toEqual([]);
  }, 120_000);
});
