import { graphCall, limitCall, type Work } from '../work.ts';

const QUERY = `query ($id: ID!) { organization(id: $id) { id name projects(first: 10) { nodes { id name
  documents(first: 10) { nodes { id name contentType size createdAt folder { id name } createdBy { id name email }
    currentRevision { id number size createdAt } comments(first: 2) { nodes { id text createdAt } } } } } } } }`;

const POSTGRAPHILE = `query ($id: String!) { organization: organizationByRowId(rowId: $id) { id: rowId name
  projects: projectsByOrganizationId(first: 10, orderBy: [CREATED_AT_ASC, ROW_ID_ASC]) { nodes { id: rowId name
    documents: documentsByOrganizationIdAndProjectId(first: 10, condition: { state: ACTIVE }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes { id: rowId name contentType size createdAt
        folder: folderByOrganizationIdAndProjectIdAndFolderId { id: rowId name }
        createdBy: userByCreatedById { id: rowId name email }
        currentRevision { id: rowId number size createdAt }
        comments(first: 2) { nodes { id: commentId text createdAt } } } } } } } }`;

export const nestedRead: Work = {
  id: 'nested-read',
  title: '10 projects, 10 documents each, with folder, creator, revision and 2 comments',
  calls: ({ organizationId: id }) => ({
    limit: limitCall('nested', { id }),
    graph: graphCall(QUERY, { id }),
    pothos: graphCall(QUERY, { id }),
    postgraphile: graphCall(POSTGRAPHILE, { id }),
  }),
};
