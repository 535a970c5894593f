import { graphql } from './gql/index.ts';

export const HOME = graphql(`
  query Home {
    viewer {
      name
      email
      organizations(first: 10) { nodes { id name projects(first: 30) { nodes { id name pageCount viewerRole } } } }
      tasks(first: 8, filter: { states: [OPEN] }, orderBy: { field: DUE_AT }) { nodes { ...TaskRow project { id name organizationId } } }
      approvals(first: 8) { nodes { ...ApprovalCard project { id name organizationId } } }
    }
  }
`);

export const TASK_ROW = graphql(`fragment TaskRow on Task { id name state dueAt overdue assigneeEmail }`);

export const APPROVAL_CARD = graphql(`
  fragment ApprovalCard on Approval {
    id state waitsForViewer process { id name } step { id name } item { itemId kind name }
  }
`);

export const DOCUMENT_CARD = graphql(`
  fragment DocumentCard on Document {
    id name size contentType createdAt revisionNumber signedAt
    thumbnailUrl(width: 480)
    folder { id }
    pendingApproval { id waitsForViewer }
  }
`);

export const PROJECT = graphql(`query Project($id: ID!) { project(id: $id) { id name viewerRole } }`);

export const ROOT_FOLDERS = graphql(`
  query RootFolders($project: ID!) { project(id: $project) { id folders(first: 100) { nodes { id name } } } }
`);

export const FOLDER = graphql(`
  query Folder($id: ID!) {
    folder(id: $id) { id name parent { id name parent { id name } } folders(first: 100) { nodes { id name } } }
  }
`);

export const DOCUMENTS = graphql(`
  query Documents($project: ID!, $filter: DocumentFilter, $after: String) {
    project(id: $project) {
      id
      documents(first: 24, after: $after, filter: $filter, orderBy: { field: CREATED_AT, direction: DESC }) {
        nodes { ...DocumentCard }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const TASKS = graphql(`
  query Tasks($project: ID!, $after: String) {
    project(id: $project) {
      id
      tasks(first: 30, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
        nodes { ...TaskRow }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const DOCUMENT = graphql(`
  query Document($id: ID!) {
    document(id: $id) {
      ...DocumentCard
      pageCount tags downloadUrl
      preview: thumbnailUrl(width: 1200)
      createdBy { id name }
      pendingApproval { ...ApprovalCard }
      tasks(first: 20) { nodes { ...TaskRow } }
      comments(last: 50) { nodes { id text createdAt createdBy { id name } } }
    }
  }
`);

export const SEARCH = graphql(`
  query Search($organization: ID!, $query: String!) {
    organization(id: $organization) {
      id
      search(query: $query, first: 12) {
        nodes {
          kind nodeId
          highlights { text matches page part }
          node {
            __typename
            ... on Document { id name project { id name } folder { id } }
            ... on Folder { id name project { id name } }
            ... on Task { id name project { id name } }
          }
        }
      }
    }
  }
`);

export const EVENTS = graphql(`
  subscription Events($organization: ID!) {
    eventAppended(organizationId: $organization) {
      id kind projectId
      subject {
        __typename id
        ... on Document { ...DocumentCard }
        ... on Task { ...TaskRow }
        ... on Folder { id name parent { id } }
      }
    }
  }
`);

export const CREATE_FOLDER = graphql(`
  mutation CreateFolder($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id name hexColor } } }
`);
export const COMMENT = graphql(`
  mutation Comment($input: CreateCommentsInput!) { createComments(input: $input) { comments { id text createdAt createdBy { id name } } } }
`);
export const COMPLETE_TASK = graphql(`
  mutation CompleteTask($input: CompleteTaskInput!) { completeTask(input: $input) { task { id state } } }
`);
export const REOPEN_TASK = graphql(`
  mutation ReopenTask($input: ReopenTaskInput!) { reopenTask(input: $input) { task { id state } } }
`);
export const APPROVE = graphql(`
  mutation Approve($input: ApproveApprovalsInput!) { approveApprovals(input: $input) { approvals { id state waitsForViewer } } }
`);
export const DENY = graphql(`
  mutation Deny($input: DenyApprovalsInput!) { denyApprovals(input: $input) { approvals { id state waitsForViewer } } }
`);
