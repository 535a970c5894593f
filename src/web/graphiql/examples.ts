import type { Tab } from './view.tsx';

/** Ids of the viewer's objects, for the variables of the examples. */
export interface ExampleIds {
  projectId?: string;
  documentId?: string;
}

/** The query for these ids. */
export const EXAMPLE_IDS_QUERY = `query ExampleIds {
  viewer {
    organizations(first: 1) {
      nodes { projects(first: 3) { nodes { id documents(first: 1) { nodes { id } } } } }
    }
  }
}`;

const OVERVIEW = `# Your organizations and projects.
# Ctrl-Enter runs the query.
query Overview {
  viewer {
    name
    email
    organizations(first: 3) {
      nodes {
        id
        name
        projects(first: 5, orderBy: { field: NAME }) {
          totalCount
          nodes { id name access viewerRole }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
}
`;

const DOCUMENTS = `# Documents with their revisions and comments.
# extensions.cost in the response is the cost.
query Documents {
  viewer {
    organizations(first: 1) {
      nodes {
        name
        projects(first: 3) {
          nodes {
            name
            documents(first: 5, orderBy: { field: NAME, direction: ASC }) {
              nodes {
                id
                name
                contentType
                size
                folder { path }
                revisions(first: 2) { nodes { number size createdAt createdBy { name } } }
                comments(first: 3) { nodes { text createdAt createdBy { name } } }
              }
            }
          }
        }
      }
    }
  }
}
`;

const FOLDERS = `# The folders of a project, at every level.
# The id of the project is under Variables.
query Folders($projectId: ID!) {
  project(id: $projectId) {
    name
    folders(first: 20, anyDepth: true) {
      totalCount
      nodes {
        id
        path
        hexColor
        assigneeEmails
        documents(first: 3) { nodes { id name } }
      }
    }
  }
}
`;

const CREATE_FOLDER = `# Creates several folders: all of them, or none.
mutation CreateFolder($input: CreateFoldersInput!) {
  createFolders(input: $input) {
    folders { id path createdAt createdBy { name } }
  }
}
`;

const ADD_COMMENT = `# Comments on a document.
# The tab Documents shows ids.
mutation AddComment($input: CreateCommentsInput!) {
  createComments(input: $input) {
    comments { id text createdAt createdBy { name } }
  }
}
`;

const variables = (value: unknown): string => JSON.stringify(value, null, 2);

/** The tabs that GraphiQL opens with, with ids of the viewer as variables. */
export const examples = ({ projectId = 'prj_…', documentId = 'doc_…' }: ExampleIds): Tab[] => [
  { query: OVERVIEW },
  { query: DOCUMENTS },
  { query: FOLDERS, variables: variables({ projectId }) },
  {
    query: CREATE_FOLDER,
    variables: variables({ input: { projectId, folders: [{ name: 'Permits', hexColor: '#14614b' }] } }),
  },
  {
    query: ADD_COMMENT,
    variables: variables({ input: { documentId, texts: ['Please check page 2 again.'] } }),
  },
];
