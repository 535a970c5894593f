import { clearOpenedDocuments } from '../../../domain/opened-documents/opened-document-change.ts';
import type { Organization as OrganizationRow } from '../../../domain/organizations/organization.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Organization } from '../organizations/type.ts';

const clearRecentlyOpenedDocumentsInput = mutationInput({
  description: 'Which list to empty.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization.' }),
  }),
});

const clearRecentlyOpenedDocumentsPayload = mutationPayload<{ organization: OrganizationRow }>({
  description: 'The organization after the change.',
  fields: (t) => ({
    organization: t.expose('organization', { type: Organization, description: 'The organization.' }),
  }),
});

mutation('clearRecentlyOpenedDocuments', {
  scope: 'documents:write',
  description: 'Empties your list of the documents that you opened last. Nobody else sees it.',
  argument: 'Which list.',
  input: clearRecentlyOpenedDocumentsInput,
  payload: clearRecentlyOpenedDocumentsPayload,
  resolve: async (input, ctx) => ({ organization: await clearOpenedDocuments(ctx, input) }),
});
