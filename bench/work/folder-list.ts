import { readFileSync } from 'node:fs';
import { graphCall, type Work } from '../work.ts';

const operations = ['folders/operations', 'wire/fragments'].map((name) =>
  readFileSync(new URL(`../../src/rest/${name}.graphql`, import.meta.url), 'utf8'),
);

/** The stored operation of a REST route, with the fragments it uses, as a client of the graph would send it. */
function stored(name: string, fragments: string[]): string {
  const parts = operations.join('\n').split(/\n(?=query|mutation|fragment)/);
  const starts = [`query ${name}(`, ...fragments.map((each) => `fragment ${each} `)];
  return parts.filter((part) => starts.some((start) => part.trim().startsWith(start))).join('\n');
}

export const folderList: Work = {
  id: 'folder-list',
  title: 'A page of 25 folders: the REST route beside the same operation in GraphQL',
  calls: ({ small: { organizationId, projectId } }) => ({
    docgraph: graphCall(stored('ListRootFolders', ['FolderRecord', 'Author']), { projectId, first: 25 }),
    rest: {
      method: 'GET',
      path: `/api/v1/organizations/${organizationId}/projects/${projectId}/documentFolders`,
    },
  }),
  same: idsOf,
};

/** The two spell the members differently; the folders are the same. */
function idsOf(answer: unknown): unknown {
  const { data, DocumentFolders } = answer as {
    data?: { project: { folders: { nodes: { id: string; name: string }[] } } };
    DocumentFolders?: { ID: string; Name: string }[];
  };
  return (
    DocumentFolders?.map(({ ID, Name }) => ({ id: ID, name: Name })) ??
    data?.project.folders.nodes.map(({ id, name }) => ({ id, name }))
  );
}
