import { graphCall, limitCall, type Work } from '../work.ts';

const QUERY = `query ($id: ID!, $query: String) { organization(id: $id) { search(query: $query, first: 25) {
  nodes { kind node { ... on Document { id name project { id } } } } } } }`;

/** A word that is in every name, and the beginning of one that is in few. */
const calls = (id: string, query: string) => ({
  limit: limitCall('search', { id, query }),
  docgraph: graphCall(QUERY, { id, query }),
});

export const search: Work = {
  id: 'search',
  title: 'A search for two words among 1,200 documents',
  calls: ({ organizationId }) => calls(organizationId, 'elevation 42'),
};

export const grownSearch: Work = {
  id: 'search-100k',
  title: 'The same among a tenth of the greatest project',
  calls: ({ big }) => (big ? calls(big.organizationId, `elevation ${big.rare}`) : {}),
};
