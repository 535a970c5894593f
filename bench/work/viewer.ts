import { graphCall, limitCall, type Work } from '../work.ts';

const QUERY = '{ viewer { name email organizations(first: 10) { nodes { id name } } } }';

export const viewer: Work = {
  id: 'viewer',
  title: 'The viewer of an API key and their organizations',
  calls: () => ({
    limit: limitCall('viewer'),
    graph: graphCall(QUERY),
    pothos: graphCall(QUERY),
    postgraphile: graphCall(
      '{ viewer { name email organizations(first: 10) { nodes { id: rowId name } } } }',
    ),
  }),
};

export const viewerOfToken: Work = {
  id: 'viewer-token',
  title: 'The same of an access token, with what it is good for',
  credential: 'token',
  calls: () => ({ limit: limitCall('viewerOfToken'), docgraph: graphCall(QUERY) }),
};
