import { describe, expect, it } from 'vitest';
import { createFields } from '../../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../../src/domain/fields/field-choice.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { newMember, newWorld, testApp } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const [permit, stamps, secret, onForms] = await createFields(ctx, {
    projectId: project.id,
    fields: [
      { name: 'Permit', label: 'Permit number', type: 'TEXT' },
      { name: 'Stamps', type: 'TEXT', multipleValues: true, choices: true },
      { name: 'Secret', type: 'TEXT', sensitive: true },
      { name: 'Form only', type: 'TEXT', onDocuments: false },
    ],
  });
  if (!permit || !stamps || !secret || !onForms) throw new Error('the fields were not created');
  await addFieldChoices(ctx, { fieldId: stamps.id, choices: [{ value: 'red' }, { value: 'blue' }] });
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const documentId = document?.id as string;
  const path = `${base}/documentPackages/${documentId}`;
  const values = async () => {
    const { body } = await owner.rest('GET', path);
    return body.Fields.map((each: Record<string, string>) => [each.Name, each.Value, each.Values]);
  };
  const fields = { permit: permit.id, stamps: stamps.id, secret: secret.id, onForms: onForms.id };
  return { ...world, ctx, base, path, documentId, fields, values };
}

describe('a document over REST v1', () => {
  it('is read by its id, and not under another project', async () => {
    const { owner, base, documentId } = await setUp();
    const { status, body } = await owner.rest('GET', `${base}/documents/${documentId}`);
    expect([status, body.ID, body.Name]).toEqual([200, documentId, 'a.txt']);
    expect((await owner.rest('GET', `${base}/documents/none`)).status).toBe(404);
  });

  it('refuses a field that is named twice, and keeps its value', async () => {
    const { owner, path, fields, values } = await setUp();
    const Fields = ['P-1', 'P-2'].map((Value) => ({ FieldID: fields.permit, Value }));
    const { status, body } = await owner.rest('PUT', path, { Fields });
    expect([status, body.message]).toEqual([400, `Fields.1.FieldID "${fields.permit}": is named twice`]);
    expect((await values())[0]).toEqual(['Permit', '', '']);
  });

  it('stores the field values of an update, and returns them with the document', async () => {
    const { owner, base, documentId, fields, values } = await setUp();
    const FieldIDsAndValues = {
      [fields.permit]: ['P-44'],
      [fields.stamps]: ['red', 'blue'],
      [fields.secret]: ['hidden'],
    };
    const { body } = await owner.rest('PUT', `${base}/documents/${documentId}`, { FieldIDsAndValues });
    const preview = [
      { 0: 'Permit number', 1: 'P-44', 2: '' },
      { 0: 'Stamps', 1: 'red, blue', 2: '' },
    ];
    expect([body.Name, body.PreviewMetadata]).toEqual(['a.txt', preview]);
    const list = await owner.rest('GET', `${base}/documents`);
    expect(list.body.Documents[0].PreviewMetadata).toEqual(preview);
    expect(await values()).toEqual([
      ['Permit', 'P-44', ''],
      ['Stamps', 'red', '["red","blue"]'],
      ['Secret', 'hidden', ''],
    ]);
  });

  it('answers 404 to a field of another project or a field that only forms use, and 400 to invalid values', async () => {
    const { owner, base, documentId, fields, values } = await setUp();
    const { ctx: other, project } = await setUp();
    const [foreign] = await createFields(other, {
      projectId: project.id,
      fields: [{ name: 'Foreign', type: 'TEXT' }],
    });
    const put = async (fieldId: string, value: unknown) => {
      const { status, body } = await owner.rest('PUT', `${base}/documents/${documentId}`, {
        Name: 'Renamed',
        FieldIDsAndValues: { [fields.permit]: ['P'], [fieldId]: value },
      });
      return [status, body.at];
    };
    const foreignId = foreign?.id as string;
    expect(await put(foreignId, ['x'])).toEqual([404, `FieldIDsAndValues.${foreignId}`]);
    expect(await put(fields.onForms, [])).toEqual([404, `FieldIDsAndValues.${fields.onForms}`]);
    expect(await put(fields.stamps, ['green'])).toEqual([400, `FieldIDsAndValues.${fields.stamps}`]);
    expect(await put(fields.permit, 'text')).toEqual([400, 'FieldIDsAndValues']);
    expect((await owner.rest('GET', `${base}/documents/${documentId}`)).body.Name).toBe('a.txt');
    expect((await values()).map(([, value]: string[]) => value)).toEqual(['', '', '']);
  });

  it('costs the same number of statements for a list of one as for a list of many', async () => {
    const { owner, ctx, base, documentId, fields, project } = await setUp();
    const save = (id: string) =>
      owner.rest('PUT', `${base}/documents/${id}`, { FieldIDsAndValues: { [fields.permit]: ['P'] } });
    await save(documentId);
    const one = await counted(() => owner.rest('GET', `${base}/documents`));
    const others = await newDocuments(ctx, project.id, [{ name: 'b.txt' }, { name: 'c.txt' }]);
    for (const { id } of others) await save(id);
    const many = await counted(() => owner.rest('GET', `${base}/documents`));
    expect(many.statements).toEqual(one.statements);
  });
});

describe('the package of a document over REST v1', () => {
  it('has the document, its fields, the project membership of the caller and the pending approval', async () => {
    const { owner, path, documentId, project } = await setUp();
    const { status, body } = await owner.rest('GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ProjectMember: { UserEmail: owner.email, IsAdmin: true, ProjectID: project.id },
      Document: { ID: documentId },
      DocumentSubscription: { DocumentID: documentId, Subscribed: false },
      Approval: null,
      Fields: [{ Name: 'Permit', LabelOrName: 'Permit number', FieldRank: 0 }, { Name: 'Stamps' }, {}],
    });
  });

  it('can be sent back with one changed value, and writes only that value', async () => {
    const { owner, db, path, documentId, fields, values } = await setUp();
    await owner.rest('PUT', path, { Fields: [{ FieldID: fields.stamps, Values: '["red"]' }] });
    await db.prisma.fieldListItem.deleteMany({ where: { fieldId: fields.stamps } });
    const { body } = await owner.rest('GET', path);
    body.Fields[0].Value = 'P-45';
    body.Document.Name = 'b.txt';
    const saved = await owner.rest('PUT', path, body);
    expect([saved.status, saved.body.Document.Name, saved.body.Fields[0].Value]).toEqual([
      200,
      'b.txt',
      'P-45',
    ]);
    expect(await values()).toEqual([
      ['Permit', 'P-45', ''],
      ['Stamps', 'red', '["red"]'],
      ['Secret', '', ''],
    ]);
    const last = await db.prisma.event.findFirst({
      where: { subjectId: documentId },
      orderBy: { sequence: 'desc' },
    });
    expect(last?.data).toMatchObject({
      after: { fieldValues: [{ fieldId: fields.permit, values: ['P-45'] }] },
    });
  });

  it('saves everything or nothing, and only if the version matches If-Match', async () => {
    const { owner, db, path, fields, values } = await setUp();
    const app = await testApp(db);
    const Fields = [
      { FieldID: fields.permit, Value: 'P-46' },
      { FieldID: fields.stamps, Value: 'green' },
    ];
    expect((await owner.rest('PUT', path, { Document: { Name: 'c.txt' }, Fields })).status).toBe(400);
    expect((await owner.rest('GET', path)).body.Document.Name).toBe('a.txt');
    expect((await owner.rest('PUT', path, { Document: { ID: 'other' } })).status).toBe(400);
    const tag = (await owner.rest('GET', path)).headers.get('etag') as string;
    const send = (Value: string) =>
      app.request(`/api/v1${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${owner.key}`, 'if-match': tag },
        body: JSON.stringify({ Fields: [{ FieldID: fields.permit, Value }] }),
      });
    expect((await send('first')).status).toBe(200);
    expect((await send('second')).status).toBe(412);
    expect((await values())[0]).toEqual(['Permit', 'first', '']);
  });

  it('can be read by a guest of the project, and is saved only by editors', async () => {
    const { owner, db, organization, base, path } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    expect((await guest.rest('GET', path)).status).toBe(404);
    await owner.rest('POST', `${base}/members`, [{ UserEmail: guest.email, IsReadOnly: true }]);
    const { status, body } = await guest.rest('GET', path);
    expect([status, body.ProjectMember.UserEmail, body.ProjectMember.IsReadOnly]).toEqual([
      200,
      guest.email,
      true,
    ]);
    expect((await guest.rest('PUT', path, { Document: { Name: 'x' } })).status).toBe(403);
  });
});
