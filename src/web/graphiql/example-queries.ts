import type { Example } from './example.ts';

/** Examples that read documents and work. */
export const QUERIES: readonly Example[] = [
  {
    name: 'overview',
    title: 'Organizations and projects',
    about: 'What you can see, from the top.',
    query: `# Your organizations and projects.
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
`,
  },
  {
    name: 'as-it-was',
    title: 'A project as it was',
    about: 'What changed in a project since a time, and a document as it was then.',
    query: `# What changed in a project since a time, each item before and after.
# asOf reads an item, and all below it, as it was after an event or at a time.
query AsItWas($project: ID!, $document: ID!, $since: DateTime!) {
  project(id: $project) {
    name
    diff(from: { time: $since }, first: 10) {
      totalCount
      nodes {
        kind
        members
        before { ...Names }
        after { ...Names }
        events(first: 3) { nodes { sequence kind createdAt } }
      }
    }
  }
  document(id: $document) { name revisionNumber tags recordedState { from to } }
  before: document(id: $document, asOf: { time: $since }) { name revisionNumber tags folder { path } }
}
fragment Names on Node {
  id
  ... on Project { name }
  ... on Folder { name path }
  ... on Document { name tags }
}
`,
    variables: ({ projectId, documentId }) => ({
      project: projectId,
      document: documentId,
      since: new Date().toISOString(),
    }),
  },
  {
    name: 'documents',
    title: 'Documents',
    about: 'Documents with their revisions and comments.',
    query: `# Documents with their revisions and comments.
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
`,
  },
  {
    name: 'folders',
    title: 'Folders',
    about: 'The folders of a project, at every level.',
    variables: (ids) => ({ projectId: ids.projectId }),
    query: `# The folders of a project, at every level.
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
`,
  },
  {
    name: 'tasks',
    title: 'Tasks',
    about: 'Your open tasks, and how many are overdue.',
    query: `# Open tasks that are assigned to you.
query Tasks {
  viewer {
    tasks(first: 10, filter: { states: [OPEN] }, orderBy: { field: DUE_AT, direction: ASC }) {
      totalCount
      nodes {
        id
        name
        dueAt
        overdue
        priority
        createdBy { name }
        project { name }
        documents(first: 3) { nodes { id name } }
      }
    }
  }
}
`,
  },
  {
    name: 'approvals',
    title: 'Approvals',
    about: 'What waits for your decision.',
    query: `# Approvals that wait for you, with the step of their process.
query Approvals {
  viewer {
    approvals(first: 10) {
      nodes {
        id
        state
        rule
        waitsForViewer
        process { name }
        step { name rank }
        item { kind name dueAt createdBy { name } }
        approvers(first: 5) { nodes { user { name } state decidedAt } }
      }
    }
  }
}
`,
  },
  {
    name: 'search',
    title: 'Search',
    about: 'Full text of names, comments and file contents, with the places found.',
    variables: (ids) => ({ organizationId: ids.organizationId, query: 'plan' }),
    query: `# The query is under Variables. It may hold "phrases", -exclusions and OR.
query Search($organizationId: ID!, $query: String!) {
  node(id: $organizationId) {
    ... on Organization {
      search(query: $query, first: 10) {
        totalCount
        nodes {
          kind
          score
          node {
            id
            ... on Document { name }
            ... on Task { name }
          }
          highlights { part page text matches }
        }
      }
    }
  }
}
`,
  },
];
