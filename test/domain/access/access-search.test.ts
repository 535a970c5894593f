import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';
import { visibleDocuments, visibleFolders, visibleTasks } from '../../../src/domain/access/access.ts';
import { visibleFormTemplates } from '../../../src/domain/access/access-form.ts';
import { partialOrganizations } from '../../../src/domain/access/access-involved.ts';
import { isVisibleEntry, visibleSubjectIds } from '../../../src/domain/access/access-search.ts';
import { tables } from '../../../src/domain/kernel/tables.ts';
import { mixedRights } from '../../support/mixed-rights.ts';

describe('visible search entries', () => {
  it('are those of visible objects', async () => {
    const { db, org, people } = await mixedRights();
    const counts = [];
    for (const person of people) {
      const { viewer } = await person.context();
      const visibleIds = (table: string, row: string, visible: Sql) =>
        sql`SELECT ${sql.raw(row)}.id FROM ${sql.raw(table)} ${sql.raw(row)} WHERE ${sql.raw(row)}.organization_id = ${org} AND ${visible}`;
      const visibleObjects = sql`(${sql.join(
        [
          visibleIds('documents', 'd', visibleDocuments(viewer, tables.documents)),
          visibleIds('folders', 'f', visibleFolders(viewer, tables.folders)),
          visibleIds('tasks', 't', visibleTasks(viewer, tables.tasks)),
          visibleIds('form_templates', 't', visibleFormTemplates(viewer, tables.formTemplates)),
        ],
        ' UNION ALL ',
      )} ORDER BY 1)`;
      const searchable = sql`SELECT e.subject_id AS id FROM ${tables.searchEntries.from}
        WHERE e.organization_id = ${org} AND ${isVisibleEntry(viewer, tables.searchEntries, org)} ORDER BY 1`;
      const expected = await db.query<{ id: string }>(visibleObjects);
      expect(await db.query(searchable)).toEqual(expected);
      if (partialOrganizations(viewer).includes(org)) {
        const named = (
          await db.query<{ id: string }>(sql`SELECT s.id FROM (${visibleSubjectIds(viewer, org)}) s(id)`)
        ).map(({ id }) => id);
        expect(new Set(named).size).toBe(named.length);
        expect(expected.filter(({ id }) => !named.includes(id))).toEqual([]);
      }
      counts.push(expected.length);
    }
    expect(new Set(counts).size).toBeGreaterThan(4);
    expect(counts.at(-1)).toBe(0);
  });
});
