import type { DocumentOrder } from '../../../generated/operations/graphql.ts';
import type { Visit } from '../ui/visit.ts';

/** What a list of documents shows, as it is in the query of its page. */
export interface ListQuery {
  sort: '' | 'newest';
  /** The cursor of the documents. */
  after: string | undefined;
  /** The cursor of the folders. */
  folders: string | undefined;
}

export const listQueryOf = ({ query }: Visit): ListQuery => ({
  sort: query('sort') === 'newest' ? 'newest' : '',
  after: query('after'),
  folders: query('folders'),
});

/** The query as the graph takes it. */
export const listVariables = ({ sort, after, folders }: ListQuery) => ({
  after,
  folders,
  orderBy: sort === 'newest' ? NEWEST : BY_NAME,
});

const BY_NAME: DocumentOrder = { field: 'NAME', direction: 'ASC' };
const NEWEST: DocumentOrder = { field: 'MODIFIED_AT', direction: 'DESC' };
