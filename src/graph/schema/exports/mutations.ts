import type { OrganizationExport as OrganizationExportRow } from '../../../domain/exports/export.ts';
import { deleteExport, startExport } from '../../../domain/exports/export-change.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { OrganizationExport } from './type.ts';

mutation('exportOrganization', {
  scope: 'write',
  description: `Begins to write an archive of a whole organization. It can be downloaded for a day once it is READY. Requires the role OWNER. RATE_LIMITED while one is being written, or three are there. ${NO_APPLICATION}`,
  argument: 'Which.',
  input: mutationInput({
    description: 'The organization to export.',
    fields: (t) => ({
      organizationId: t.id({ required: true, description: 'Which organization.' }),
    }),
  }),
  payload: mutationPayload<{ organizationExport: OrganizationExportRow }>({
    description: 'The export.',
    fields: (t) => ({
      organizationExport: t.expose('organizationExport', {
        type: OrganizationExport,
        description: 'The export, which is QUEUED.',
      }),
    }),
  }),
  resolve: async ({ organizationId }, ctx) => ({
    organizationExport: await startExport(ctx, organizationId),
  }),
});

mutation('deleteOrganizationExport', {
  scope: 'write',
  description: `Deletes an archive, or ends its writing. Its URL is not valid any more. Requires the role OWNER. ${NO_APPLICATION}`,
  argument: 'Which.',
  input: mutationInput({
    description: 'The export to delete.',
    fields: (t) => ({ exportId: t.id({ required: true, description: 'Which OrganizationExport.' }) }),
  }),
  payload: mutationPayload<{ id: string }>({
    description: 'What was deleted.',
    fields: (t) => ({ exportId: t.exposeID('id', { description: 'The id of the export.' }) }),
  }),
  resolve: async ({ exportId }, ctx) => {
    await deleteExport(ctx, exportId);
    return { id: exportId };
  },
});
