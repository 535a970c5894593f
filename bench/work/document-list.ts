import type { ListStart } from '../data.ts';
import { graphCall, limitCall, type Work } from '../work.ts';

const QUERY = `query ($id: ID!, $after: String) { project(id: $id) { documents(first: 25, after: $after) {
  nodes { id name contentType size createdAt folder { id name } createdBy { id name email } }
  pageInfo { hasNextPage endCursor } } } }`;

const POSTGRAPHILE = `query ($organization: String!, $id: String!, $after: Cursor) {
  project: projectByOrganizationIdAndRowId(organizationId: $organization, rowId: $id) {
    documents: documentsByOrganizationIdAndProjectId(first: 25, after: $after, condition: { state: ACTIVE }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes { id: rowId name contentType size createdAt
        folder: folderByOrganizationIdAndProjectIdAndFolderId { id: rowId name }
        createdBy: userByCreatedById { id: rowId name email } }
      pageInfo { hasNextPage endCursor } } } }`;

const calls = ({ organizationId: organization, projectId: id, after }: ListStart) => ({
  limit: limitCall('list', { project: id, ...(after && { after: after.limit }) }),
  graph: graphCall(QUERY, { id, after: after?.graph }),
  ...(!after && { pothos: graphCall(QUERY, { id }) }),
  postgraphile: graphCall(POSTGRAPHILE, { organization, id, after: after?.postgraphile }),
});

/** Each has cursors of its own. */
function withoutCursor(answer: unknown): unknown {
  const { project } = (answer as { data: { project: { documents: { pageInfo: object } } } }).data;
  return { ...project.documents, pageInfo: { ...project.documents.pageInfo, endCursor: undefined } };
}

export const documentList: Work = {
  id: 'document-list',
  title: 'A page of 25 documents with folder and creator',
  calls: (data) => calls(data.small),
  same: withoutCursor,
};

export const bigList: Work = {
  ...documentList,
  id: 'document-list-1m',
  title: 'The same in the greatest project',
  calls: (data) => (data.big ? calls(data.big) : {}),
};

export const bigListLate: Work = {
  ...documentList,
  id: 'document-list-1m-page-1000',
  title: 'A late page of it',
  calls: (data) => (data.bigLatePage ? calls(data.bigLatePage) : {}),
};
