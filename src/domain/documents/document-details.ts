import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ChangedValues } from '../fields/field-value.ts';
import type { Document } from './document.ts';

/** Lists of a document beside its row, as events show them: in an order of their own. */
interface Details {
  tags: string[];
  assigneeEmails: string[];
}

export async function readDetails(
  tx: Transaction,
  { organizationId, id }: Pick<Document, 'organizationId' | 'id'>,
): Promise<Details> {
  const [details] = await tx.query<Details>(sql`SELECT
    ARRAY(SELECT t.text FROM document_tags x JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
      WHERE x.organization_id = ${organizationId} AND x.document_id = ${id} ORDER BY t.text_key) AS tags,
    ARRAY(SELECT a.email FROM document_assignments a
      WHERE a.organization_id = ${organizationId} AND a.document_id = ${id} ORDER BY a.email) AS assignee_emails`);
  return details as Details;
}

/** Values of fields before and after, for an event. */
export const valueChanges = (changed: readonly ChangedValues[]) => ({
  before: changed.map(({ fieldId, valuesBefore }) => ({ fieldId, values: valuesBefore })),
  after: changed.map(({ fieldId, values }) => ({ fieldId, values: values.filter((value) => value !== '') })),
});
