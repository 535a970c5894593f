import { graphCall, limitCall, type Work } from '../work.ts';

export const viewer: Work = {
  id: 'viewer',
  title: 'The viewer of an API key and their organizations',
  calls: () => ({
    limit: limitCall('viewer'),
    graph: graphCall('{ viewer { id name email organizations(first: 10) { nodes { id name } } } }'),
    postgraphile: graphCall(
      '{ viewer { id: rowId name email organizations(first: 10) { nodes { id: rowId name } } } }',
    ),
  }),
};
