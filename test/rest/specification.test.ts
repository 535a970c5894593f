import { describe, expect, it } from 'vitest';
import { restRoutes } from '../../src/rest/routes.ts';

/** Specification §4.2, path by path; `~` stands for the project prefix. */
const ROUTES = `
GET /organizations
GET /organizations/{organizationId}
GET /organizations/{organizationId}/projects
POST /organizations/{organizationId}/projects
GET ~
PUT ~
GET ~/documents
GET ~/documentUploads
PUT ~/documentUploads
PUT ~/documents/{documentId}
GET ~/documents/{documentId}/revisions
GET ~/documents/{documentId}/comments
POST ~/documentActions/setDocumentFolder
POST ~/documentActions/sendToRecycleBin
GET ~/documentFolders
POST ~/documentFolders
PUT ~/documentFolders/{documentFolderId}
GET ~/tasks
POST ~/tasks
GET ~/tasks/{taskId}
POST ~/tasks/{taskId}/actions/assign
POST ~/tasks/{taskId}/actions/complete
POST ~/tasks/{taskId}/comments
POST ~/tasks/{taskId}/documents
GET ~/formTemplates
GET ~/formTemplates/{formTemplateId}/fields
POST ~/formTemplateActions/share
GET ~/approvals
POST ~/approvals/actions/approve
POST ~/approvals/actions/decline
POST ~/approvals/actions/deny
GET ~/documents/{documentId}/signatureForms
POST ~/documents/{documentId}/signatureForms/{documentSignatureFormId}/fields
GET ~/documents/{documentId}/signatureSessionPackages
GET ~/signatureFormTemplates
GET /organizations/{organizationId}/searchResults
GET ~/searchResults
GET /organizations/{organizationId}/searchTemplates
GET /user/apiKeys
POST /user/apiKeys
DELETE /user/apiKeys`
  .trim()
  .replaceAll('~', '/organizations/{organizationId}/projects/{projectId}')
  .split('\n');

describe('the routes of the specification', () => {
  it('are 41', () => expect(new Set(ROUTES).size).toBe(41));

  it('each have an entry with the same path', () => {
    const served = new Set(
      restRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    );
    expect(ROUTES.filter((route) => !served.has(route))).toEqual([]);
  });
});
