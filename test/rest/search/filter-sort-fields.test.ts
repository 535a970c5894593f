import { describe, expect, it } from 'vitest';
import { updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFields } from '../../../src/domain/fields/field-change.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

interface FilterField {
  fieldID: string;
  fieldType: string;
  name: string;
  operators: string[];
}

interface SortField {
  sortType: string;
  sortDescending: boolean;
  routes: string[];
}

const VALUES: Record<string, string> = {
  Permit: 'P-1',
  Area: '12.5',
  Fee: '3',
  Due: '2031-03-04',
  Paid: 'true',
};

/** A document with a value in a field of each type. */
async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const fields = await createFields(ctx, {
    projectId: project.id,
    fields: [
      { name: 'Permit', type: 'TEXT', label: 'Permit number' },
      { name: 'Area', type: 'NUMBER' },
      { name: 'Fee', type: 'CURRENCY' },
      { name: 'Due', type: 'DATE' },
      { name: 'Paid', type: 'BOOL' },
    ],
  });
  const fieldValues = fields.map(({ id, name }) => ({ fieldId: id, values: [VALUES[name] as string] }));
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  await updateDocument(ctx, { documentId: document?.id as string, fieldValues });
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const path = `${base}/documentFilterSortFields`;
  return { ...world, base, path, fields: (await owner.rest('GET', path)).body };
}

describe('the fields and orders of documents over REST v1', () => {
  it('are the fields of the project, named as conditions name them', async () => {
    const { fields } = await setUp();
    expect(fields.filterFields[0]).toEqual({
      ...{ fieldID: expect.stringMatching(/^IxF_Text\[fie_\w+\]$/), fieldType: 'FieldType_Text' },
      ...{ name: 'Permit', label: 'Permit number', operators: ['equals', 'startsWith'] },
    });
    expect(fields.filterFields.map(({ name }: FilterField) => name)).toEqual(Object.keys(VALUES));
  });

  it('are taken by the search with each operator, and find the document', async () => {
    const { owner, base, fields } = await setUp();
    for (const { fieldID, fieldType, name, operators } of fields.filterFields as FilterField[])
      for (const Operator of operators) {
        const filter = [{ FieldID: fieldID, FieldType: fieldType, FieldValue: VALUES[name], Operator }];
        const query = `metaFieldFilters_json=${encodeURIComponent(JSON.stringify(filter))}`;
        const { body } = await owner.rest('GET', `${base}/searchResults?${query}`);
        const names = body.SearchResults.map(({ Name }: { Name: string }) => Name);
        expect([name, Operator, names]).toEqual([name, Operator, ['a.txt']]);
      }
  });

  it('are orders that the routes take, in the direction that they have by default', async () => {
    const { owner, base, fields } = await setUp();
    for (const { sortType, sortDescending, routes } of fields.sortFields as SortField[])
      for (const route of routes) {
        const query = `${base}/${route}?sortType=${sortType}`;
        const plain = await owner.rest('GET', query);
        const explicit = await owner.rest('GET', `${query}&sortDescending=${sortDescending}`);
        expect([sortType, route, plain.status, explicit.body]).toEqual([sortType, route, 200, plain.body]);
      }
    expect(fields.sortFields.map(({ sortType }: SortField) => sortType)).toEqual(
      expect.arrayContaining(['CreatedOn', 'Name', 'FileSize', 'Score']),
    );
  });

  it('are not found by strangers', async () => {
    const { stranger, path } = await setUp();
    expect((await stranger.rest('GET', path)).status).toBe(404);
  });
});
