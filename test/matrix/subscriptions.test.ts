import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { ask } from './asking.ts';
import { expectedCode, type Fact, type Least, missing } from './expected.ts';
import { PRINCIPALS, type Principal, type Scene, SETTING_UP, scene } from './scene.ts';

let s: Scene;

beforeAll(async () => {
  s = await scene();
}, SETTING_UP);

interface Followed {
  least: Least;
  place: Fact['place'];
  query: string;
  /** Lists the same things, as `nodes` of something or as one. */
  past: string;
}

/** The least that may follow each, and what lists the same things of the past. */
const SUBSCRIPTIONS: Record<string, Followed> = {
  documentTextChanged: {
    least: 'member',
    place: 'project',
    query:
      'subscription ($organizationId: ID!, $documentId: ID!) { told: documentTextChanged(organizationId: $organizationId, documentIds: [$documentId]) { id } }',
    past: 'query ($documentId: ID!) { document(id: $documentId) { id } }',
  },
  eventAppended: {
    least: 'guest',
    place: 'organization',
    query:
      'subscription ($organizationId: ID!) { told: eventAppended(organizationId: $organizationId, after: 0) { id } }',
    past: 'query ($organizationId: ID!) { organization(id: $organizationId) { events(first: 20) { nodes { id } } } }',
  },
};

/** So many answers of a subscription, as far as it gets; an answer that is no stream is its only one. */
async function follow(query: string, principal: Principal, most: number) {
  const credential = s.credentials[principal];
  const answer = await s.app.request('/graphql', {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
    },
    body: JSON.stringify({ query, variables: s.a.at }),
  });
  const told: { data?: { told: { id: string } }; errors?: { extensions: { code: string } }[] }[] = [];
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const whole = text.split('\n\n').slice(0, -1);
    told.splice(
      0,
      told.length,
      ...whole.flatMap((block) => /^data: ?({.*})$/m.exec(block)?.[1] ?? []).map((each) => JSON.parse(each)),
    );
    if (told.length >= most) break;
  }
  return told.length > 0 ? told.slice(0, most) : [JSON.parse(text)];
}

it('every subscription says who may follow it', () => {
  const names = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
  expect(missing(names, SUBSCRIPTIONS, 'test/matrix/subscriptions.test.ts')).toEqual([]);
});

describe.each(Object.entries(SUBSCRIPTIONS))('subscription %s', (_, { least, place, query, past }) => {
  it.each(PRINCIPALS)('as %s', async (principal) => {
    const expected = expectedCode({ least, writes: false, place }, principal);
    const { body } = await ask(s.app, past, s.a.at, s.credentials[principal]);
    const { organization, document } = body.data ?? {};
    const seen: { id: string }[] | undefined = document ? [document] : organization?.events.nodes;
    const told = await follow(query, principal, seen?.length ?? 1);
    expect(told[0]?.errors?.[0]?.extensions.code ?? 'OK').toBe(expected);
    if (expected === 'OK') expect(told.map(({ data }) => data?.told)).toEqual(seen);
  });
});
