import {
  createOrganizations,
  type Organization as OrganizationRow,
  updateOrganization,
} from '../../../domain/organizations/organization.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { ApplicationPolicy, ErasedComments, Organization } from './type.ts';

const NewOrganization = builder.inputType('NewOrganization', {
  description: 'One organization to create.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }) }),
});

const createOrganizationsInput = mutationInput({
  description: 'New organizations: all are created, or none.',
  fields: (t) => ({
    organizations: t.field({
      type: [NewOrganization],
      required: true,
      description: 'The organizations, in order.',
    }),
  }),
});

const createOrganizationsPayload = mutationPayload<{ organizations: OrganizationRow[] }>({
  description: 'The new organizations.',
  fields: (t) => ({
    organizations: t.expose('organizations', {
      type: [Organization],
      description: 'In the order of the input.',
    }),
  }),
});

const updateOrganizationInput = mutationInput({
  description: 'A change of an organization.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Which organization.' }),
    name: t.string({ description: 'The new display name.' }),
    requiresSecondFactor: t.boolean({
      description:
        'Whether members need a second factor. Requires the role OWNER and a second factor of your own.',
    }),
    applicationPolicy: t.field({
      type: ApplicationPolicy,
      description: `Which applications of other organizations may act in it; it takes effect at their next request. ${NO_APPLICATION}`,
    }),
    erasedComments: t.field({
      type: ErasedComments,
      description: `What becomes of the comments of a person whose account is erased from then on. ${NO_APPLICATION}`,
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const organizationPayload = mutationPayload<{ organization: OrganizationRow }>({
  description: 'The organization after the change.',
  fields: (t) => ({
    organization: t.expose('organization', { type: Organization, description: 'The organization.' }),
  }),
});

mutation('createOrganizations', {
  scope: 'write',
  description:
    'Creates organizations, with you as the owner of each. CONFLICT above the number that one person may create within a day. Not available to applications.',
  argument: 'The organizations.',
  input: createOrganizationsInput,
  payload: createOrganizationsPayload,
  batch: { items: 'organizations', empty: { organizations: [] } },
  resolve: async (input, ctx) => ({ organizations: await createOrganizations(ctx, input) }),
});

mutation('updateOrganization', {
  scope: 'write',
  description: 'Changes an organization. Requires the role OWNER or ADMIN in it.',
  argument: 'The change.',
  input: updateOrganizationInput,
  payload: organizationPayload,
  resolve: async (input, ctx) => ({ organization: await updateOrganization(ctx, input) }),
});
