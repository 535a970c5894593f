import {
  createOrganization,
  createOrganizations,
  type Organization as OrganizationRow,
  updateOrganization,
} from '../../../domain/organizations/organization.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION } from '../kernel/descriptions.ts';
import { Organization } from './type.ts';

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  description: 'A new organization.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }) }),
});

const CreateOrganizationsInput = builder.inputType('CreateOrganizationsInput', {
  description: 'New organizations: all are created, or none.',
  fields: (t) => ({
    organizations: t.field({
      type: [CreateOrganizationInput],
      required: true,
      description: 'The organizations, in order.',
    }),
  }),
});

const CreateOrganizationsPayload = builder
  .objectRef<{ organizations: OrganizationRow[] }>('CreateOrganizationsPayload')
  .implement({
    description: 'The new organizations.',
    fields: (t) => ({
      organizations: t.expose('organizations', {
        type: [Organization],
        description: 'In the order of the input.',
      }),
    }),
  });

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'A change of an organization.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Which organization.' }),
    name: t.string({ required: true, description: 'The new display name.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const OrganizationPayload = builder
  .objectRef<{ organization: OrganizationRow }>('OrganizationPayload')
  .implement({
    description: 'The organization as it now is.',
    fields: (t) => ({
      organization: t.expose('organization', { type: Organization, description: 'The organization.' }),
    }),
  });

builder.mutationFields((t) => ({
  createOrganization: t.field({
    type: OrganizationPayload,
    description: 'Creates an organization, with you as its owner. Applications cannot.',
    args: {
      input: t.arg({ type: CreateOrganizationInput, required: true, description: 'The organization.' }),
    },
    resolve: async (_, { input }, ctx) => ({ organization: await createOrganization(ctx, input) }),
  }),
  createOrganizations: t.field({
    type: CreateOrganizationsPayload,
    description: 'Creates several organizations, with you as the owner of each. Applications cannot.',
    args: {
      input: t.arg({ type: CreateOrganizationsInput, required: true, description: 'The organizations.' }),
    },
    resolve: async (_, { input }, ctx) => ({ organizations: await createOrganizations(ctx, input) }),
  }),
  updateOrganization: t.field({
    type: OrganizationPayload,
    description: 'Changes an organization. Takes the role OWNER or ADMIN in it.',
    args: { input: t.arg({ type: UpdateOrganizationInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ organization: await updateOrganization(ctx, input) }),
  }),
}));
