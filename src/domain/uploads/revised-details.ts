import type { Transaction } from '../../db/database.ts';
import { findLabels } from '../documents/document.ts';
import { updateData } from '../documents/document-update.ts';
import {
  type ChangedValues,
  changedFieldValues,
  type FieldValues,
  valuePath,
} from '../fields/field-value.ts';
import { type NewEvent, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { NewRevision } from './revision-event.ts';

/**
 * To be called before files are stored. Returns a function that returns the events of what they changed of documents that
 * exist, beside their content: the tags and the values of fields.
 */
export async function watchDetails(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  revisions: readonly NewRevision[],
): Promise<() => Promise<NewEvent[]>> {
  const given = revisions.filter(({ file }) => file.documentId && (file.tags || file.fieldValues));
  if (given.length === 0) return async () => [];
  const ids = [...new Set(given.map(({ documentId }) => documentId))];
  const readTags = async () => new Map((await findLabels(ctx, ids, tx)).map(({ id, tags }) => [id, tags]));
  const tagsBefore = await readTags();
  const changed = new Map<string, ChangedValues[]>();
  for (const id of ids)
    changed.set(
      id,
      await changedValues(
        tx,
        { id, projectId },
        given.filter(({ documentId }) => documentId === id),
      ),
    );
  const organizationId = given[0]?.file.upload.organizationId as string;
  return async () => {
    const tagsAfter = await readTags();
    return ids.flatMap((id) => {
      const data = updateData(
        { tags: tagsBefore.get(id) },
        { tags: tagsAfter.get(id) },
        changed.get(id) ?? [],
      );
      const isChange = data.sensitiveValues || Object.keys(data.after as object).length > 0;
      return isChange ? [subjectEvent({ organizationId, projectId, id }, 'document.updated', data)] : [];
    });
  };
}

/** The values that the files change of one document. Where several name a field, the last counts. */
function changedValues(
  tx: Transaction,
  document: { id: string; projectId: string },
  revisions: readonly NewRevision[],
): Promise<ChangedValues[]> {
  const values = new Map<string, FieldValues>();
  for (const { file } of revisions) for (const each of file.fieldValues ?? []) values.set(each.fieldId, each);
  const naming = (fieldId: string) =>
    revisions.find(({ file }) => file.fieldValues?.some((each) => each.fieldId === fieldId))?.file;
  return changedFieldValues(tx, document, [...values.values()], (fieldId) => {
    const file = naming(fieldId);
    return valuePath(`${file?.at}.fieldValues`, file?.fieldValues ?? [])(fieldId);
  });
}
