import { graphCall, type Work } from '../work.ts';

const QUERY = `mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id name } } }`;
const names = Array.from({ length: 25 }, (_, index) => `Level ${index + 1}`);

export const createFolders: Work = {
  id: 'create-folders',
  title: 'Create 25 folders in one batch, with their events',
  calls: ({ writing: { projectId } }) => ({
    limit: { method: 'POST', path: '/folders', body: { project: projectId, names } },
    graph: graphCall(QUERY, { input: { projectId, folders: names.map((name) => ({ name })) } }),
  }),
  same: (answer) =>
    (answer as { data: { createFolders: { folders: { name: string }[] } } }).data.createFolders.folders.map(
      ({ name }) => name,
    ),
};
