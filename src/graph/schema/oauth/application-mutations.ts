import type { Application as ApplicationRow } from '../../../domain/oauth/application.ts';
import { decideApplication, revokeApplication } from '../../../domain/oauth/application-change.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { ApplicationDecision, OrganizationApplication } from './application.ts';

const applicationPayload = mutationPayload<{ application: ApplicationRow }>({
  description: 'The application after the change.',
  fields: (t) => ({
    application: t.expose('application', { type: OrganizationApplication, description: 'The application.' }),
  }),
});

const decideApplicationInput = mutationInput({
  description: 'A decision about an application of another organization.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization that decides.' }),
    clientId: t.id({ required: true, description: 'The client_id of the application.' }),
    decision: t.field({
      type: ApplicationDecision,
      description: 'Whether it may act there; null takes an earlier decision back.',
    }),
  }),
});

const revokeApplicationInput = mutationInput({
  description: 'An application of another organization to revoke for all members.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization that revokes it.' }),
    clientId: t.id({ required: true, description: 'The client_id of the application.' }),
  }),
});

mutation('decideApplication', {
  scope: 'write',
  description: `Approves or refuses an application of another organization, used or not; it takes effect at the next request of its tokens. Requires the role OWNER or ADMIN in the organization. ${NO_APPLICATION}`,
  argument: 'The decision.',
  input: decideApplicationInput,
  payload: applicationPayload,
  resolve: async ({ decision, ...path }, ctx) => ({
    application: await decideApplication(ctx, { ...path, decision: decision ?? null }),
  }),
});

mutation('revokeApplication', {
  scope: 'write',
  description: `Ends what members authorized an application of another organization to do in this one: its tokens lose it at once, and members are asked again. Requires the role OWNER or ADMIN in the organization. ${NO_APPLICATION}`,
  argument: 'Of which.',
  input: revokeApplicationInput,
  payload: applicationPayload,
  resolve: async (input, ctx) => ({ application: await revokeApplication(ctx, input) }),
});
