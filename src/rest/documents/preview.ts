import type { DocumentPreviewFragment } from '../../generated/operations/graphql.ts';
import { member } from '../shape/record.ts';

/** A map for each field with a value, of its label, its values and nothing. Clients mask sensitive fields, so none is here. */
export const previewRecord = ({ fieldValues }: DocumentPreviewFragment) =>
  fieldValues
    .filter(({ field }) => !field.sensitive)
    .map(({ field, values }) => ({ 0: field.label || field.name, 1: values.join(', '), 2: '' }));

/** PreviewMetadata of a document; empty for none. */
export const previews = <Row>(
  read: (row: Row) => DocumentPreviewFragment | null | undefined,
  about?: string,
) =>
  member(
    '{string}[]',
    (row: Row) => {
      const document = read(row);
      return document ? previewRecord(document) : [];
    },
    about,
  );
