import { isManager } from '../../../domain/access/role.ts';
import {
  countMembers,
  findOrganizations,
  type Organization as OrganizationRow,
} from '../../../domain/organizations/organization.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Tracked, Versioned } from '../users/tracked.ts';

const MemberCounts = builder.objectRef<{ writing: number; readOnly: number }>('MemberCounts').implement({
  description: 'The number of members of an organization.',
  fields: (t) => ({
    writing: t.exposeInt('writing', { description: 'Owners, admins and members.' }),
    readOnly: t.exposeInt('readOnly', { description: 'Guests: they read and change nothing.' }),
  }),
});

export const OrganizationRole = builder.enumType('OrganizationRole', {
  description: 'What someone may do in an organization.',
  values: {
    OWNER: { description: 'Everything; each organization keeps at least one.' },
    ADMIN: { description: 'Everything except changes of its owners.' },
    MEMBER: { description: 'Take part in its open projects, and in those they are added to.' },
    GUEST: { description: 'Read the projects they are added to.' },
  } as const,
});

export const ApplicationPolicy = builder.enumType('ApplicationPolicy', {
  description:
    'Which applications of other organizations may act in one, where a member allows them. Its own always may.',
  values: {
    OPEN: { description: 'All that were not refused.' },
    APPROVED_ONLY: { description: 'Those that an owner or admin approved.' },
    NONE: { description: 'None.' },
  } as const,
});

export const ErasedComments = builder.enumType('ErasedComments', {
  description: 'What becomes of the comments of a person whose account is erased.',
  values: {
    KEEP: { description: 'They stay, without the name and the address of the person.' },
    REDACT: { description: 'Their text is removed.' },
  } as const,
});

const foundOrganization = foundRow(findOrganizations, 'viewerRole', 'Organization');

/**
 * Further fields: approvals/lists.ts, bulk/type.ts, events/anchors.ts, events/feed.ts, exports/type.ts, follows/type.ts, groups/type.ts,
 * mails/type.ts, membership/invitation.ts, membership/member.ts, membership/work.ts, oauth/application.ts, oauth/client.ts,
 * opened-documents/type.ts, projects/deletion.ts, projects/lists.ts, retention/disposal.ts,
 * retention/type.ts, search/template.ts, search/type.ts, storage.ts, webhooks/new-preview.ts, webhooks/type.ts.
 */
export const Organization = builder.prismaObject('Organization', {
  scope: { scope: 'organizations:read', open: ['name'] },
  description: 'The tenant: it holds members and projects, and sees nothing of other organizations.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    requiresSecondFactor: t.exposeBoolean('requiresSecondFactor', {
      description:
        'Whether members need a second factor. Those without one cannot use it in a browser until they add one at /account, nor with what they issued since without one.',
    }),
    erasedComments: t.expose('erasedComments', {
      type: ErasedComments,
      description: 'What becomes of the comments of a person whose account is erased.',
    }),
    viewerRole: t.field({
      type: OrganizationRole,
      description: 'Your role in it.',
      resolve: (row, _, ctx) => foundOrganization(ctx, row, (found) => found.viewerRole),
    }),
    viewerCanUpdate: t.boolean({
      description: 'Whether you may change it and manage its members.',
      resolve: (row, _, ctx) => foundOrganization(ctx, row, (found) => isManager(found.viewerRole)),
    }),
    memberCounts: t.field({
      type: MemberCounts,
      nullable: true,
      description: 'The number of its members.',
      resolve: ({ id }, _, { load }) => load.one(countMembers, id),
    }),
  }),
});

/** The organization of a visible item. */
export const organizationOf = async ({ load }: GraphContext, id: string): Promise<OrganizationRow> =>
  (await load.one(findOrganizations, id)) as OrganizationRow;

nodeType('Organization', ({ load }, id) => load.one(findOrganizations, id));

builder.queryFields((t) => ({
  organization: t.field({
    type: Organization,
    nullable: true,
    description: 'An organization by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findOrganizations, id, 'Organization'),
  }),
}));
