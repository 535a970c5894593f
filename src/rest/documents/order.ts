import type { DocumentOrder, DocumentOrderField } from '../../generated/operations/graphql.ts';
import { descendsByDefault, directionIn } from '../wire/order.ts';
import type { RestRequest } from '../wire/request.ts';

/** `CreatedOn` is in the contract; the other terms are additions. */
export const DOCUMENT_SORT_TYPES: Record<DocumentOrderField, string> = {
  CREATED_AT: 'CreatedOn',
  MODIFIED_AT: 'ModifiedOn',
  NAME: 'Name',
  SIZE: 'FileSize',
  RECYCLED_AT: 'RecycledOn',
};

/** The order of a list of documents. */
export function orderIn({ query }: RestRequest): DocumentOrder {
  const field = query.term('sortType', DOCUMENT_SORT_TYPES) ?? 'CREATED_AT';
  return { field, direction: directionIn(query, descendsByDefault(field)) };
}
