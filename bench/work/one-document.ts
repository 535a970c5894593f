import { graphCall, limitCall, type Work } from '../work.ts';

const QUERY = `query ($id: ID!) { document(id: $id) { id name contentType size version createdAt folder { id name }
  createdBy { id name email } project { id name viewerRole } } }`;

const POSTGRAPHILE = `query ($organization: String!, $id: String!) {
  document: documentByOrganizationIdAndRowId(organizationId: $organization, rowId: $id) {
    id: rowId name contentType size version createdAt
    folder: folderByOrganizationIdAndProjectIdAndFolderId { id: rowId name }
    createdBy: userByCreatedById { id: rowId name email }
    project: projectByOrganizationIdAndProjectId { id: rowId name viewerRole } } }`;

export const oneDocument: Work = {
  id: 'one-document',
  title: 'One document by id, with project and role',
  calls: ({ organizationId: organization, documentId: id }) => ({
    limit: limitCall('document', { id }),
    graph: graphCall(QUERY, { id }),
    pothos: graphCall(QUERY, { id }),
    postgraphile: graphCall(POSTGRAPHILE, { organization, id }),
  }),
};
