import type { DocumentPreviewFragment } from '../../generated/operations/graphql.ts';
import { member } from '../shape/record.ts';

/** PreviewMetadata: a map for each field with a value, of its label, its values and nothing. Clients mask sensitive fields, so none is here. */
export const previewRecord = ({ fieldValues }: DocumentPreviewFragment) =>
  fieldValues
    .filter(({ field }) => !field.sensitive)
    .map(({ field, values }) => ({ 0: field.label || field.name, 1: values.join(', '), 2: '' }));

/** A member with the previews of a document. */
export const previews = <Row>(read: (row: Row) => ReturnType<typeof previewRecord>, about?: string) =>
  member('{string}[]', read, about);
