import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { costOf } from '../../../../src/graph/operations/cost.ts';
import { WHOLE_EVENT } from '../../../../src/graph/operations/selection-document.ts';
import { schema } from '../../../../src/graph/schema/schema.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const PREVIEW = `query ($id: ID!, $kinds: [String!], $projectId: ID, $query: String) { organization(id: $id) {
  webhookPreview(kinds: $kinds, projectId: $projectId, query: $query) { errors { message line column } body } } }`;

interface Settings {
  kinds?: string[];
  projectId?: string;
  query?: string;
}

const tryOut = async (person: Person, id: string, settings: Settings = {}) => {
  const { data, errors } = await person.graph(PREVIEW, { id, ...settings });
  return { preview: data?.organization?.webhookPreview, errors };
};

describe('webhookPreview', () => {
  it('is the body of the newest event that a webhook with these settings would be sent', async () => {
    const { owner, organization, project } = await newWorld();
    const settings = { kinds: ['project.*'], projectId: project.id, query: '{ kind subject { id } }' };
    const { preview } = await tryOut(owner, organization.id, settings);
    expect(preview.errors).toEqual([]);
    expect(JSON.parse(preview.body)).toMatchObject({
      webhookId: 'whk_00000000000000000000000000',
      kind: 'project.created',
      data: { kind: 'project.created', subject: { id: project.id } },
    });
    const whole = await tryOut(owner, organization.id);
    expect(JSON.parse(whole.preview.body).data).toHaveProperty('changes');
    const none = await tryOut(owner, organization.id, { kinds: ['document.signed'] });
    expect(none.preview).toEqual({ errors: [], body: null });
  });

  it('says what is wrong with the selection, and where in its text', async () => {
    const { owner, organization } = await newWorld();
    const wrong = await tryOut(owner, organization.id, { query: '{\n  kind\n  nothing nor\n}' });
    expect(wrong.preview).toEqual({
      errors: [
        { message: 'Cannot query field "nothing" on type "Event".', line: 3, column: 3 },
        { message: 'Cannot query field "nor" on type "Event".', line: 3, column: 11 },
      ],
      body: null,
    });
    const { preview } = await tryOut(owner, organization.id, { query: '{ kind' });
    expect(preview.errors).toMatchObject([{ line: 1, column: 7 }]);
    const many = `{ ${Array.from({ length: 30 }, (_, index) => `x${index}`).join(' ')} }`;
    expect((await tryOut(owner, organization.id, { query: many })).preview.errors).toHaveLength(10);
  });

  it('is null for members and guests, and nothing for strangers', async () => {
    const { db, organization, stranger } = await newWorld();
    for (const role of ['MEMBER', 'GUEST'] as const) {
      const person = await newMember(db, organization.id, role);
      expect(await tryOut(person, organization.id)).toEqual({ preview: null, errors: undefined });
    }
    const admin = await newMember(db, organization.id, 'ADMIN');
    expect((await tryOut(admin, organization.id)).preview.body).toContain(organization.id);
    const { errors } = await tryOut(stranger, organization.id);
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('is not of a project of another organization', async () => {
    const { owner, organization } = await newWorld();
    const { project } = await newWorld();
    const { errors } = await tryOut(owner, organization.id, { projectId: project.id });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', at: 'projectId' });
  });

  it('selects no more than the credential may read', async () => {
    const { db, owner, organization } = await newWorld();
    const { secret } = await issueApiKey(db.prisma, {
      ...{ userId: owner.id, name: 'events' },
      scopes: ['organizations:read', 'events:read'],
    });
    const person = await owner.with(secret);
    expect((await tryOut(person, organization.id, { query: '{ kind }' })).preview.errors).toEqual([]);
    const { errors } = await tryOut(person, organization.id, {
      query: '{ subject { ... on Task { name } } }',
    });
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
  });

  it('costs as much as its selection, also by a variable, and as the default', () => {
    const limits = { queryCost: 1, queryDepth: 15, pageSize: 25, pageSizeMax: 100 };
    const points = (document: string, variables = {}) =>
      costOf(schema, parse(document), null, variables, limits).points;
    const field = (args: string) =>
      `query ($q: String) { organization(id: "") { webhookPreview${args} { body } } }`;
    const large = '{ subject { ... on Project { tasks(first: 100) { nodes { id } } } } }';
    const invalid = points(field('(query: "{")'));
    const expected = points(`subscription { eventAppended(organizationId: "") ${large} }`);
    expect(expected).toBeGreaterThan(100);
    expect(points(field(`(query: "${large}")`)) - invalid).toBe(expected);
    expect(points(field('(query: $q)'), { q: large }) - invalid).toBe(expected);
    expect(points(field('')) - invalid).toBe(
      points(`subscription { eventAppended(organizationId: "") ${WHOLE_EVENT} }`),
    );
  });
});

describe('a selection', () => {
  const INNER = '{ subject { ... on Webhook { preview { body } } } }';

  it('does not run a selection, which could be itself without end', async () => {
    const { db, owner, organization } = await newWorld();
    const { preview } = await tryOut(owner, organization.id, { query: INNER });
    const message = 'A selection of Event may not have the field "preview".';
    expect(preview.errors).toEqual([{ message, line: 1, column: 30 }]);
    const create = `mutation ($input: CreateWebhooksInput!) { createWebhooks(input: $input) { created { webhook { id } } } }`;
    const webhooks = [{ url: 'https://hooks.example.com/', kinds: ['webhook.*'] }];
    const { data } = await owner.graph(create, { input: { organizationId: organization.id, webhooks } });
    const { id } = data.createWebhooks.created[0].webhook;
    await db.prisma.webhook.update({ where: { id }, data: { query: INNER } });
    const { errors } = await owner.graph(
      'query ($id: ID!) { node(id: $id) { ... on Webhook { preview { body } } } }',
      { id },
    );
    expect(errors?.[0]?.message).toBe(message);
  });
});
