import { describe, expect, it } from 'vitest';
import { newClient, newOAuthWorld } from '../support/oauth.ts';
import { type Answer, newMember, type Person } from '../support/world.ts';

const codes = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions.code);

/** An owner of an organization, and the same person through an application that may do everything. */
async function setUp() {
  const world = await newOAuthWorld();
  const { access_token } = await world.tokens();
  return { ...world, application: await world.owner.with(access_token) };
}

type Input = Record<string, unknown>;

const run = (person: Person, name: string, input: Input, asked: string) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return person.graph(`mutation ($input: ${type}!) { ${name}(input: $input) { ${asked} } }`, { input });
};

describe('an application with every scope', () => {
  it('manages no application: it could send the codes of another to itself', async () => {
    const { owner, application, organization, confidential, open } = await setUp();
    const redirectUris = ['https://evil.example/callback'];
    const facts = { organizationId: organization.id, name: 'Evil', kind: 'PUBLIC', redirectUris, scopes: [] };
    for (const [name, input, asked] of [
      ['createClient', facts, 'secret'],
      ['updateClient', { clientId: open.id, redirectUris }, 'client { id }'],
      ['rotateClientSecret', { clientId: confidential.id }, 'secret'],
      ['deleteClients', { clientIds: [open.id] }, 'clientIds'],
    ] as const) {
      const answer = await run(application, name, input, asked);
      expect([name, codes(answer), answer.data]).toEqual([name, ['FORBIDDEN'], null]);
      expect(codes(await run(owner, name, input, asked))).toBeUndefined();
    }
  });

  it('learns no more of the applications of others than that there is none', async () => {
    const { application, stranger } = await setUp();
    const [membership] = (await stranger.context()).viewer.memberships;
    const theirs = await newClient(stranger, membership?.organizationId as string);
    expect(codes(await run(application, 'deleteClients', { clientIds: [theirs.id] }, 'clientIds'))).toEqual([
      'NOT_FOUND',
    ]);
  });

  it('makes and ends no API key, over either API', async () => {
    const { owner, application } = await setUp();
    const made = await run(application, 'createApiKeys', { keys: [{ name: 'mine' }] }, 'created { secret }');
    expect(codes(made)).toEqual(['FORBIDDEN']);
    const { data } = await owner.graph('{ viewer { apiKeys { nodes { id } } } }');
    const apiKeyIds = [data.viewer.apiKeys.nodes[0].id];
    expect(codes(await run(application, 'deleteApiKeys', { apiKeyIds }, 'apiKeyIds'))).toEqual(['FORBIDDEN']);
    expect((await application.rest('POST', '/user/apiKeys', [{ Name: 'mine' }])).status).toBe(403);
    expect((await owner.graph('{ viewer { apiKeys { totalCount } } }')).data.viewer.apiKeys.totalCount).toBe(
      1,
    );
  });

  it('takes the access of no application back, not even its own', async () => {
    const { application, confidential, open, tokens, api } = await setUp();
    const { access_token } = await tokens(open);
    for (const { id: clientId } of [open, confidential])
      expect(codes(await run(application, 'revokeAuthorization', { clientId }, 'clientId'))).toEqual([
        'FORBIDDEN',
      ]);
    expect(await api(access_token)).toBe(200);
  });

  it('makes, changes and removes no owner and no admin, but members', async () => {
    const { db, owner, application, organization } = await setUp();
    const organizationId = organization.id;
    const [admin, member] = [
      await newMember(db, organizationId, 'ADMIN'),
      await newMember(db, organizationId, 'MEMBER'),
    ];
    const idOf = async ({ id: userId }: Person) =>
      (await db.prisma.membership.findFirstOrThrow({ where: { organizationId, userId } })).id;
    const invite = (role: string) => ({ organizationId, members: [{ email: `${role}@example.test`, role }] });
    for (const [name, input, asked] of [
      ['inviteMembers', invite('OWNER'), 'invitations { id }'],
      ['inviteMembers', invite('ADMIN'), 'invitations { id }'],
      ['updateMember', { memberId: await idOf(member), role: 'ADMIN' }, 'member { id }'],
      ['updateMember', { memberId: await idOf(admin), role: 'GUEST' }, 'member { id }'],
      ['removeMembers', { organizationId, memberIds: [await idOf(member)] }, 'memberIds'],
    ] as const) {
      expect([name, codes(await run(application, name, input, asked))]).toEqual([name, ['FORBIDDEN']]);
      expect(codes(await run(owner, name, input, asked))).toBeUndefined();
    }
    for (const [name, input, asked] of [
      ['inviteMembers', invite('MEMBER'), 'invitations { id }'],
      [
        'updateMember',
        { memberId: await idOf(await newMember(db, organizationId, 'GUEST')), role: 'MEMBER' },
        'member { id }',
      ],
    ] as const)
      expect(codes(await run(application, name, input, asked))).toBeUndefined();
  });
});
