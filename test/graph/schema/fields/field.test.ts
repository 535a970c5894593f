import { describe, expect, it } from 'vitest';
import { createFields } from '../../../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../../../src/domain/fields/field-choice.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember, newWorld } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const CREATE = `mutation ($input: CreateFieldsInput!) { createFields(input: $input) { fields { id name type rank parentId childIds } } }`;
const UPDATE = `mutation ($input: UpdateFieldInput!) { updateField(input: $input) { field { name label parentId version } } }`;
const DELETE = `mutation ($input: DeleteFieldsInput!) { deleteFields(input: $input) { fieldIds } }`;
const SET = `mutation ($input: UpdateDocumentInput!) { updateDocument(input: $input) { document { fieldValues { field { name } values } } } }`;

async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const fields = async (...list: Parameters<typeof createFields>[1]['fields']) =>
    createFields(ctx, { projectId: world.project.id, fields: list });
  const [document] = await newDocuments(ctx, world.project.id, [{ name: 'a' }]);
  const set = async (fieldId: string | undefined, ...values: string[]) =>
    world.owner.graph(SET, { input: { documentId: document?.id, fieldValues: [{ fieldId, values }] } });
  return { ...world, ctx, fields, document, set };
}

describe('fields', () => {
  it('are created in the order given, once for each name', async () => {
    const { owner, project } = await setUp();
    const input = {
      projectId: project.id,
      fields: [
        { name: 'B', type: 'TEXT', rank: 2 },
        { name: 'A', type: 'DATE' },
      ],
    };
    const { data } = await owner.graph(CREATE, { input });
    expect(data.createFields.fields).toMatchObject([
      { name: 'B', type: 'TEXT', rank: 2, parentId: null, childIds: [] },
      { name: 'A', type: 'DATE', rank: 0 },
    ]);
    const again = {
      ...input,
      fields: [
        { name: 'fine', type: 'TEXT' },
        { name: 'b', type: 'TEXT' },
      ],
    };
    expect(codes((await owner.graph(CREATE, { input: again })).errors)).toEqual(['CONFLICT']);
    const list = await owner.graph(
      'query ($id: ID!) { project(id: $id) { fields { totalCount nodes { name } } } }',
      { id: project.id },
    );
    expect(list.data.project.fields).toEqual({ totalCount: 2, nodes: [{ name: 'A' }, { name: 'B' }] });
  });

  it('can depend on one other field, one level deep', async () => {
    const { owner, project, fields } = await setUp();
    const [parent] = await fields({ name: 'Country', type: 'TEXT' });
    const [child] = await fields({ name: 'City', type: 'TEXT', parentId: parent?.id });
    const update = async (fieldId: string | undefined, parentId: string | undefined) =>
      owner.graph(UPDATE, { input: { fieldId, parentId } });
    expect(codes((await update(parent?.id, child?.id)).errors)).toEqual(['BAD_USER_INPUT']);
    expect(codes((await update(child?.id, child?.id)).errors)).toEqual(['BAD_USER_INPUT']);
    expect(
      codes((await owner.graph(DELETE, { input: { projectId: project.id, fieldIds: [parent?.id] } })).errors),
    ).toEqual(['CONFLICT']);
    expect((await update(child?.id, '')).data.updateField.field).toMatchObject({
      parentId: null,
      version: 2,
    });
    expect(
      (await owner.graph(DELETE, { input: { projectId: project.id, fieldIds: [parent?.id] } })).errors,
    ).toBeUndefined();
  });

  it('have one or several values on a document, as configured', async () => {
    const { fields, set } = await setUp();
    const [one, many] = await fields(
      { name: 'One', type: 'TEXT' },
      { name: 'Many', type: 'NUMBER', multipleValues: true },
    );
    expect(codes((await set(one?.id, 'a', 'b')).errors)).toEqual(['BAD_USER_INPUT']);
    await set(one?.id, 'a');
    const { data } = await set(many?.id, '2', '1');
    expect(data.updateDocument.document.fieldValues).toEqual([
      { field: { name: 'One' }, values: ['a'] },
      { field: { name: 'Many' }, values: ['2', '1'] },
    ]);
    expect((await set(one?.id)).data.updateDocument.document.fieldValues).toHaveLength(1);
  });

  it('accept only their choices, or add new ones if configured', async () => {
    const { ctx, owner, fields, set } = await setUp();
    const [closed, open] = await fields(
      { name: 'Closed', type: 'TEXT', choices: true },
      { name: 'Open', type: 'TEXT', choices: true, newChoicesAllowed: true, newChoicesSaved: true },
    );
    for (const field of [closed, open])
      await addFieldChoices(ctx, { fieldId: field?.id as string, choices: [{ value: 'red' }] });
    expect((await set(closed?.id, 'red')).errors).toBeUndefined();
    expect(codes((await set(closed?.id, 'blue')).errors)).toEqual(['BAD_USER_INPUT']);
    expect((await set(open?.id, 'blue')).errors).toBeUndefined();
    const query = 'query ($id: ID!) { field(id: $id) { choices { nodes { value } } } }';
    expect((await owner.graph(query, { id: open?.id })).data.field.choices.nodes).toEqual([
      { value: 'red' },
      { value: 'blue' },
    ]);
  });

  it('accept choices that match the value of the parent field, and only valid dates', async () => {
    const { ctx, owner, document, fields } = await setUp();
    const [country, day] = await fields({ name: 'Country', type: 'TEXT' }, { name: 'Day', type: 'DATE' });
    const [city] = await fields({
      name: 'City',
      type: 'TEXT',
      parentId: country?.id,
      choices: true,
      choicesDependOnParent: true,
    });
    const choices = [{ value: 'Bern', parentValue: 'CH' }, { value: 'Elsewhere' }];
    await addFieldChoices(ctx, { fieldId: city?.id as string, choices });
    const set = async (...values: [string | undefined, string][]) =>
      codes(
        (
          await owner.graph(SET, {
            input: {
              documentId: document?.id,
              fieldValues: values.map(([fieldId, value]) => ({ fieldId, values: [value] })),
            },
          })
        ).errors,
      );
    expect(await set([country?.id, 'CH'], [city?.id, 'Bern'])).toBeUndefined();
    expect(await set([country?.id, 'FR'], [city?.id, 'Elsewhere'])).toBeUndefined();
    expect(await set([country?.id, 'FR'], [city?.id, 'Bern'])).toEqual(['BAD_USER_INPUT']);
    expect(await set([day?.id, '2028-02-29'])).toBeUndefined();
    expect(await set([day?.id, '2026-02-29'])).toEqual(['BAD_USER_INPUT']);
  });

  it('can be defined by admins of the project only, and are invisible to strangers', async () => {
    const { db, owner, stranger, organization, project, fields, document } = await setUp();
    const [field] = await fields({ name: 'F', type: 'TEXT' });
    const member = await newMember(db, organization.id, 'MEMBER');
    const input = { fieldId: field?.id, name: 'Mine' };
    expect(codes((await member.graph(UPDATE, { input })).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await stranger.graph(UPDATE, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(
      codes((await stranger.graph('query ($id: ID!) { field(id: $id) { name } }', { id: field?.id })).errors),
    ).toEqual(['NOT_FOUND']);
    const other = await newWorld();
    const [theirs] = await createFields(await other.owner.context(), {
      projectId: other.project.id,
      fields: [{ name: 'T', type: 'TEXT' }],
    });
    const mixed = { documentId: document?.id, fieldValues: [{ fieldId: theirs?.id, values: ['x'] }] };
    expect(codes((await owner.graph(SET, { input: mixed })).errors)).toEqual(['NOT_FOUND']);
    expect(
      codes(
        (await owner.graph(DELETE, { input: { projectId: project.id, fieldIds: [field?.id, theirs?.id] } }))
          .errors,
      ),
    ).toEqual(['NOT_FOUND']);
  });

  it('need one statement for the values of many documents, and one for their fields', async () => {
    const { ctx, owner, project, fields, set } = await setUp();
    const [field] = await fields({ name: 'F', type: 'TEXT' });
    await set(field?.id, 'v');
    const query =
      'query ($id: ID!) { project(id: $id) { documents { nodes { fieldValues { field { name } values } } } } }';
    const few = await counted(() => owner.graph(query, { id: project.id }));
    await newDocuments(
      ctx,
      project.id,
      ['b', 'c'].map((name) => ({ name })),
    );
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.data.project.documents.nodes).toHaveLength(3);
    expect(many.statements).toEqual(few.statements);
  });
});
