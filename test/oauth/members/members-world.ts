import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { ask, browser, newClient, newOAuthWorld, signedIn, type TestClient } from '../../support/oauth.ts';
import { type Answer, newMember, type Person } from '../../support/world.ts';

export const ALL = 'read write members:write';

export const codes = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions.code);

type Input = Record<string, unknown>;

/** Runs a mutation, of whose payload nothing is selected unless `selection` is given. */
export const run = (person: Person, name: string, input: Input, selection = '__typename') =>
  person.graph(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
    { input },
  );

/** An owner, whose application may manage members, and members of each role. */
export async function newMembersWorld() {
  const world = await newOAuthWorld();
  const { app, db, owner, organization, project, tokens, user, redeem } = world;
  const organizationId = organization.id;
  const client = await newClient(owner, organizationId, { scopes: ['read', 'write', 'members:write'] });
  const tokensFor = (scope = ALL, of: TestClient = client) => tokens(of, { scope });
  const membershipOf = async ({ id: userId }: Person) =>
    (await db.prisma.membership.findFirstOrThrow({ where: { organizationId, userId } })).id;
  const { access_token, refresh_token } = await tokensFor();
  const people = {
    admin: await newMember(db, organizationId, 'ADMIN'),
    member: await newMember(db, organizationId, 'MEMBER'),
    guest: await newMember(db, organizationId, 'GUEST'),
  };
  return {
    ...{ ...world, ...people, organizationId, projectId: project.id, client, membershipOf, tokensFor },
    ...{ access: access_token, refreshToken: refresh_token },
    application: await owner.with(access_token),
    /** The same application with a token of these scopes. */
    applicationWith: async (scope: string) => owner.with((await tokensFor(scope)).access_token),
    /** The application, which acts for another person. */
    actingFor: async (person: Person) => {
      const theirs = browser(app, await signedIn(db, person.id));
      const code = await theirs.code(ask(client, { scope: 'members:write' }));
      return person.with((await redeem(client, code)).body.access_token);
    },
    code: () => user.code(ask(client, { scope: ALL })),
    redeemCode: (code: string) => redeem(client, code),
    invite: (person: Person, email: string, role = 'MEMBER') =>
      run(person, 'inviteMembers', { organizationId, members: [{ email, role }] }, 'invitations { id }'),
    /** An invitation by the owner in person. */
    inviteInPerson: async (email: string, role: 'ADMIN' | 'MEMBER' = 'MEMBER') =>
      (await inviteMembers(await owner.context(), { organizationId, members: [{ email, role }] }))
        .invitations[0]?.id as string,
    invited: async () =>
      (await db.prisma.invitation.findMany({ where: { organizationId }, orderBy: { email: 'asc' } })).map(
        ({ email }) => email,
      ),
  };
}

export type MembersWorld = Awaited<ReturnType<typeof newMembersWorld>>;
