import { describe, expect, it } from 'vitest';
import { newMember } from '../../support/world.ts';
import { newLimitedWorld } from './limited.ts';

const SEEN = '{ viewer { organizations { nodes { id projects { nodes { id } } } } } }';

type World = Awaited<ReturnType<typeof newLimitedWorld>>;

/** The organizations and projects that a token shows. */
async function seenBy({ as }: World, token: string) {
  const { data } = await (await as(token)).graph(SEEN);
  const organizations = data.viewer.organizations.nodes as { id: string; projects: { nodes: { id: string }[] } }[];
  return organizations.flatMap(({ id, projects }) => [id, ...projects.nodes.map((each) => each.id)]).sort();
}

const grantOf = ({ db, owner, confidential }: World) =>
  db.prisma.grant.findFirstOrThrow({ where: { userId: owner.id, clientId: confidential.id, revokedAt: null } });

const LIMIT = 'mutation ($input: LimitAuthorizationInput!) { limitAuthorization(input: $input) { clientId } }';

describe('the consent page', () => {
  it('offers the organizations and projects of the user, and all of them unless something is chosen', async () => {
    const world = await newLimitedWorld();
    const page = await world.consentPage();
    expect(page).toMatch(/<input type="radio" name="reach" value="all"[^>]* checked/);
    for (const id of [world.organization.id, world.other.id]) expect(page).toContain(`name="organization" value="${id}"`);
    for (const id of Object.values(world.projects)) expect(page).toContain(`name="project" value="${id}"`);
  });

  it('gives all that the user sees, also later, without a limit', async () => {
    const world = await newLimitedWorld();
    const { access_token } = await world.tokens();
    expect(await seenBy(world, access_token)).toEqual(
      [world.organization.id, world.other.id, ...Object.values(world.projects)].sort(),
    );
    expect((await grantOf(world)).limitedTo).toBeNull();
  });

  it.each<[string, (world: World) => Parameters<World['limitedTokens']>[0], (world: World) => string[]]>([
    [
      'one organization as a whole',
      ({ organization }) => ({ organizations: [organization.id] }),
      ({ organization, projects }) => [organization.id, projects.first, projects.second],
    ],
    [
      'one project',
      ({ projects }) => ({ projects: [projects.first] }),
      ({ organization, projects }) => [organization.id, projects.first],
    ],
    [
      'an organization and a project of another one',
      ({ other, projects }) => ({ organizations: [other.id], projects: [projects.second] }),
      ({ other, organization, projects }) => [other.id, organization.id, projects.second],
    ],
    [
      'an organization, where one of its projects is chosen too',
      ({ organization, projects }) => ({ organizations: [organization.id], projects: [projects.first] }),
      ({ organization, projects }) => [organization.id, projects.first, projects.second],
    ],
  ])('limits an application to %s', async (_, places, expected) => {
    const world = await newLimitedWorld();
    const { access_token } = await world.limitedTokens(places(world));
    expect(await seenBy(world, access_token)).toEqual(expected(world).sort());
  });

  it('is shown again if nothing is chosen, and allows nothing', async () => {
    const world = await newLimitedWorld();
    const answer = await world.choose(await world.consentPage(), {});
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('Choose an organization or a project at least.'),
    ]);
    expect(await world.db.prisma.grant.count({ where: { userId: world.owner.id } })).toBe(0);
  });

  it.each(['a project that the user does not see', 'an organization of others'])(
    'is shown again for %s, and allows nothing',
    async (what) => {
      const world = await newLimitedWorld();
      const { memberships } = (await world.stranger.context()).viewer;
      const foreign = memberships[0]?.organizationId ?? 'org_00000000000000000000000000';
      const places = what.startsWith('a project')
        ? { projects: [world.projects.first, 'prj_00000000000000000000000000'] }
        : { organizations: [foreign] };
      const answer = await world.choose(await world.consentPage(), places);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Choose again.')]);
      expect(await world.db.prisma.grant.count({ where: { userId: world.owner.id } })).toBe(0);
    },
  );

  it('refuses another value than all and chosen', async () => {
    const world = await newLimitedWorld();
    const answer = await world.choose(await world.consentPage(), {}, 'everything');
    expect(answer.headers.get('location') ?? answer.status).not.toContain('code=');
    expect(await world.db.prisma.grant.count({ where: { userId: world.owner.id } })).toBe(0);
  });

  it('shows the present limit, and changes it for tokens that were issued before', async () => {
    const world = await newLimitedWorld();
    const { organization, projects } = world;
    const { access_token } = await world.limitedTokens({ projects: [projects.first] });
    const again = await world.consentPage();
    expect(again).toMatch(new RegExp(`value="${projects.first}"[^>]* checked`));
    expect(again).not.toMatch(new RegExp(`value="${projects.second}"[^>]* checked`));
    await world.choose(again, { projects: [projects.second] });
    expect(await seenBy(world, access_token)).toEqual([organization.id, projects.second].sort());
  });

  it('is not needed by a confidential application that has its scopes, which stays limited', async () => {
    const world = await newLimitedWorld();
    await world.limitedTokens({ projects: [world.projects.first] });
    const { access_token } = await world.tokens();
    expect(await seenBy(world, access_token)).toEqual([world.organization.id, world.projects.first].sort());
  });
});

describe('limitAuthorization', () => {
  it('limits an application, and takes the limit away, with a security event each', async () => {
    const world = await newLimitedWorld();
    const { owner, organization, other, projects, confidential } = world;
    const { access_token } = await world.tokens();
    const limit = (limitedTo: object | null) =>
      owner.graph(LIMIT, { input: { clientId: confidential.id, limitedTo } });
    await limit({ organizationIds: [other.id], projectIds: [projects.first] });
    expect(await seenBy(world, access_token)).toEqual([other.id, organization.id, projects.first].sort());
    const { data } = await owner.graph(
      '{ viewer { authorizations { nodes { limitedTo { organizations { id } projects { id } } } } } }',
    );
    expect(data.viewer.authorizations.nodes).toEqual([
      { limitedTo: { organizations: [{ id: other.id }], projects: [{ id: projects.first }] } },
    ]);
    await limit(null);
    expect(await seenBy(world, access_token)).toHaveLength(4);
    const kinds = await world.db.prisma.securityEvent.findMany({
      where: { userId: owner.id, kind: 'authorization.limited' },
    });
    expect(kinds).toHaveLength(2);
  });

  it.each([
    ['nothing', { organizationIds: [], projectIds: [] }, 'BAD_USER_INPUT', 'limitedTo'],
    [
      'a project that does not exist',
      { organizationIds: [], projectIds: ['prj_00000000000000000000000000'] },
      'NOT_FOUND',
      'limitedTo.projectIds.0',
    ],
    [
      'an organization that does not exist',
      { organizationIds: ['org_00000000000000000000000000'], projectIds: [] },
      'NOT_FOUND',
      'limitedTo.organizationIds.0',
    ],
  ])('is refused for %s, and changes nothing', async (_, limitedTo, code, at) => {
    const world = await newLimitedWorld();
    await world.limitedTokens({ projects: [world.projects.first] });
    const before = await grantOf(world);
    const { errors } = await world.owner.graph(LIMIT, { input: { clientId: world.confidential.id, limitedTo } });
    expect(errors?.map(({ extensions }) => [extensions?.code, extensions?.at])).toEqual([[code, at]]);
    expect(await grantOf(world)).toEqual(before);
  });

  it('does not reach the authorization of another person', async () => {
    const world = await newLimitedWorld();
    await world.tokens();
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    const input = { clientId: world.confidential.id, limitedTo: null };
    const { errors } = await member.graph(LIMIT, { input });
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['NOT_FOUND']);
  });
});
