import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { type AccessFact, expectedCode, type Requirement, tableFaults } from './expected-access.ts';
import { type Fixture, PRINCIPALS, type Principal, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { headersOf, sendGraph } from './requests.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

interface Followed {
  least: Requirement;
  container: AccessFact['container'];
  query: string;
  /** A query for the same objects, as `nodes` of a list or as a single object. */
  past: string;
}

/** The role that each subscription requires, and a query that lists the same objects. */
const SUBSCRIPTIONS: Record<string, Followed> = {
  documentTextChanged: {
    least: 'member',
    container: 'project',
    query:
      'subscription ($organizationId: ID!, $documentId: ID!) { found: documentTextChanged(organizationId: $organizationId, documentIds: [$documentId]) { id } }',
    past: 'query ($documentId: ID!) { document(id: $documentId) { id } }',
  },
  notificationAdded: {
    least: 'guest',
    container: 'organization',
    query:
      'subscription ($organizationId: ID!) { found: notificationAdded(organizationId: $organizationId) { id } }',
    past: 'query ($organizationId: ID!) { organization(id: $organizationId) { id } viewer { notifications(first: 1) { nodes { id } } } }',
  },
  eventAppended: {
    least: 'guest',
    container: 'organization',
    query:
      'subscription ($organizationId: ID!) { found: eventAppended(organizationId: $organizationId, after: 0) { id } }',
    past: 'query ($organizationId: ID!) { organization(id: $organizationId) { events(first: 20) { nodes { id } } } }',
  },
};

/** The first `most` results of a subscription; a reply that is no stream counts as one result. */
async function follow(query: string, principal: Principal, most: number) {
  const credential = s.credentials[principal];
  const answer = await s.app.request('/graphql', {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...headersOf(credential),
    },
    body: JSON.stringify({ query, variables: s.a.at }),
  });
  const results: { data?: { found: { id: string } }; errors?: { extensions: { code: string } }[] }[] = [];
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const whole = text.split('\n\n').slice(0, -1);
    results.splice(
      0,
      results.length,
      ...whole.flatMap((block) => /^data: ?({.*})$/m.exec(block)?.[1] ?? []).map((each) => JSON.parse(each)),
    );
    if (results.length >= most) break;
  }
  return results.length > 0 ? results.slice(0, most) : [JSON.parse(text)];
}

it('the access table has every subscription', () => {
  const names = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
  expect(tableFaults(names, SUBSCRIPTIONS, 'test/matrix/subscriptions.test.ts')).toEqual([]);
});

describe.each(Object.entries(SUBSCRIPTIONS))('subscription %s', (_, { least, container, query, past }) => {
  it.each(
    PRINCIPALS,
  )('answers %s by the access table, with the objects that a query lists', async (principal) => {
    const expected = expectedCode({ least, writes: false, container }, principal);
    const { body } = await sendGraph(s.app, past, s.a.at, s.credentials[principal]);
    const { organization, document, viewer } = body.data ?? {};
    const list = viewer?.notifications ?? organization?.events;
    const listed: { id: string }[] | undefined = document ? [document] : organization && list?.nodes;
    // Without notifications nothing comes; the owner has one.
    if (listed?.length === 0 && principal !== 'owner') return;
    const results = await follow(query, principal, listed?.length ?? 1);
    expect(results[0]?.errors?.[0]?.extensions.code ?? 'OK').toBe(expected);
    if (expected === 'OK') expect(results.map(({ data }) => data?.found)).toEqual(listed);
  });
});
