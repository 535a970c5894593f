import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several, who } from '../command.ts';
import type { Role, Selection } from '../twin.ts';

const ACCESS = {
  OPEN: 'GlobalAssignments_MemberContentByDefault',
  RESTRICTED: 'MembersOnlyAssignments_MemberContentByAssignment',
};
type Access = keyof typeof ACCESS;
const access = fc.constantFrom<Access>('OPEN', 'OPEN', 'RESTRICTED');

/** REST v1 encodes three roles in two flags. */
const RANKS = {
  ADMIN: { flags: { IsAdmin: true }, inOrganization: 'ADMIN', inProject: 'ADMIN' },
  WRITER: { flags: {}, inOrganization: 'MEMBER', inProject: 'EDITOR' },
  READER: { flags: { IsReadOnly: 'True' }, inOrganization: 'GUEST', inProject: 'VIEWER' },
};
type Rank = keyof typeof RANKS;
const someone = fc.record({ who, rank: fc.constantFrom<Rank>('ADMIN', 'WRITER', 'READER') });
type Someone = { who: Role | 'nobody'; rank: Rank };

/** A source without a project means nothing, as in REST v1. */
const sourceOf = (projectId: string | undefined, copyContent?: boolean) =>
  projectId ? { projectId, copyContent } : undefined;

/** Organizations and projects, their members, and the caller's own objects. */
export const containerCommands: AnyCommand[] = [
  command<string>({
    mutation: 'updateViewer',
    row: 'updateUserProfile',
    weight: 1,
    sample: 'Renamed',
    args: name,
    graph: (newName) => ({ name: newName }),
    rest: (newName) => ({ body: { UserName: newName } }),
  }),
  command<string[]>({
    mutation: 'createOrganizations',
    row: 'createOrganizations',
    weight: 1,
    sample: ['Second'],
    args: several(name),
    graph: (names) => ({ organizations: names.map((each) => ({ name: each })) }),
    rest: (names) => ({ body: names.map((Name) => ({ Name })) }),
  }),
  command<{ name: string; access?: Access; source?: Selection; copyContent?: boolean }[]>({
    mutation: 'createProjects',
    row: 'createProjects',
    weight: 2,
    sample: [{ name: 'Second', access: 'RESTRICTED', source: 0, copyContent: true }],
    args: several(
      fc.record({ name, access: maybe(access), source: maybe(ref), copyContent: maybe(fc.boolean()) }),
    ),
    graph: (projects, at) => ({
      projects: projects.map((each) => ({
        name: each.name,
        access: each.access,
        source: sourceOf(at.maybe('Project', each.source), each.copyContent),
      })),
    }),
    rest: (projects, at) => ({
      body: projects.map((each) => ({
        Name: each.name,
        AccessType: each.access ? ACCESS[each.access] : '',
        SourceID: at.maybe('Project', each.source) ?? '',
        SourceContentCopy: each.copyContent,
      })),
    }),
  }),
  command<{ name?: string; access?: Access; disabled?: boolean }>({
    mutation: 'updateProject',
    row: 'updateProject',
    weight: 2,
    sample: { name: 'Renamed', access: 'OPEN', disabled: false },
    args: fc.record({
      name: maybe(name),
      access: maybe(access),
      disabled: maybe(fc.constantFrom(false, false, false, true)),
    }),
    graph: (changes) => changes,
    rest: (changes) => ({
      body: {
        Name: changes.name,
        AccessType: changes.access && ACCESS[changes.access],
        Disabled: changes.disabled,
      },
    }),
  }),
  command<Someone[]>({
    mutation: 'inviteMembers',
    row: 'addOrganizationMembers',
    weight: 2,
    sample: [{ who: 'stranger', rank: 'WRITER' }],
    args: several(someone),
    graph: (invited, at) => ({
      keepExisting: true,
      members: invited.map((each) => ({ email: at.email(each.who), role: RANKS[each.rank].inOrganization })),
    }),
    rest: (invited, at) => ({
      body: invited.map((each) => ({ UserEmail: at.email(each.who), ...RANKS[each.rank].flags })),
    }),
  }),
  command<Someone[]>({
    mutation: 'addProjectMembers',
    row: 'addProjectMembers',
    weight: 2,
    sample: [{ who: 'member', rank: 'WRITER' }],
    args: several(someone),
    graph: (added, at) => ({
      keepExisting: true,
      members: added.map((each) => ({
        person: { email: at.email(each.who) },
        role: RANKS[each.rank].inProject,
      })),
    }),
    rest: (added, at) => ({
      body: added.map((each) => ({ UserEmail: at.email(each.who), ...RANKS[each.rank].flags })),
    }),
  }),
  command<{ name: string; expires?: string }[]>({
    mutation: 'createApiKeys',
    row: 'createApiKeys',
    weight: 1,
    sample: [{ name: 'Spare', expires: '2041-05-06T07:08:09.000Z' }, { name: 'Other' }],
    args: several(
      fc.record({
        name,
        expires: maybe(fc.constantFrom('2041-05-06T07:08:09.000Z', '2001-01-01T00:00:00.000Z', 'soon')),
      }),
    ),
    graph: (keys) => ({ keys: keys.map((each) => ({ name: each.name, expiresAt: each.expires })) }),
    rest: (keys) => ({
      body: keys.map((each) => ({ Name: each.name, ExpiresOn: each.expires ?? '0001-01-01T00:00:00Z' })),
    }),
  }),
  command<Selection[]>({
    mutation: 'deleteApiKeys',
    row: 'deleteApiKeys',
    weight: 1,
    sample: [0],
    args: fc.array(fc.constantFrom<Selection>(0, 0, 'foreign', 'unknown'), { maxLength: 2 }),
    graph: (keys, at) => ({ apiKeyIds: at.ids('ApiKey', keys) }),
    rest: (keys, at) => ({ body: { IDs: at.ids('ApiKey', keys) } }),
  }),
  command<{ member: Selection; role: string }>({
    mutation: 'updateMember',
    weight: 1,
    sample: { member: 1, role: 'MEMBER' },
    args: fc.record({ member: ref, role: fc.constantFrom('OWNER', 'ADMIN', 'MEMBER', 'GUEST') }),
    graph: ({ member, role }, at) => ({ memberId: at.id('Membership', member), role }),
  }),
  command<Selection>({
    mutation: 'acceptInvitation',
    weight: 1,
    sample: 0,
    sampleBy: 'stranger',
    args: ref,
    graph: (invitation, at) => ({ invitationId: at.id('Invitation', invitation) }),
  }),
];

/** Deletions of large objects, and restoring them: last in the table, and rarely drawn. */
export const removalCommands: AnyCommand[] = [
  command<Selection[]>({
    mutation: 'removeMembers',
    weight: 1,
    sample: [2],
    args: fc.array(fc.constantFrom<Selection>(0, 1, 'foreign', 'unknown'), { maxLength: 2 }),
    graph: (members, at) => ({ memberIds: at.ids('Membership', members) }),
  }),
  command<Selection[]>({
    mutation: 'deleteProjects',
    row: 'deleteProjects',
    weight: 1,
    sample: [0],
    args: refs,
    graph: (projects, at) => ({ projectIds: at.ids('Project', projects) }),
    rest: (projects, at) => ({ body: { IDs: at.ids('Project', projects) } }),
  }),
  command<Selection[]>({
    mutation: 'restoreProjects',
    weight: 2,
    sample: [0],
    args: refs,
    graph: (projects, at) => ({ projectIds: at.ids('Project', projects) }),
  }),
];
