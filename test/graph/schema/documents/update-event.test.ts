import { describe, expect, it } from 'vitest';
import { createFields } from '../../../../src/domain/fields/field-change.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newWorld } from '../../../support/world.ts';

const UPDATE = `mutation ($input: UpdateDocumentInput!) { updateDocument(input: $input) { document { id } } }`;

const CHANGES = `query ($id: ID!) { document(id: $id) { events(last: 1) { nodes { kind changes { member before after } } } } }`;

/** A document with a tag, an assignee and the values of two fields, one of them sensitive. */
async function setUp() {
  const { db, owner, project } = await newWorld();
  const ctx = await owner.context();
  const fields = await createFields(ctx, {
    projectId: project.id,
    fields: [
      { name: 'Number', type: 'TEXT', onDocuments: true },
      { name: 'Secret', type: 'TEXT', onDocuments: true, sensitive: true },
    ],
  });
  const [open, secret] = fields.map(({ id }) => id) as [string, string];
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const documentId = document?.id as string;
  const update = async (input: object) => {
    const answer = await owner.graph(UPDATE, { input: { documentId, ...input } });
    expect(answer.errors).toBeUndefined();
    const [event] = (await owner.graph(CHANGES, { id: documentId })).data.document.events.nodes;
    return Object.fromEntries(
      event.changes.map(({ member, before, after }: Record<string, string>) => [
        member,
        [before, after].map((each) => JSON.parse(each ?? 'null')),
      ]),
    );
  };
  const values = (number: string, other: string) => [
    { fieldId: open, values: [number] },
    { fieldId: secret, values: [other] },
  ];
  await update({ tags: ['Red'], assigneeEmails: ['a@people.test'], fieldValues: values('1', 'word') });
  const stored = async () =>
    (
      await db.prisma.event.findFirstOrThrow({
        where: { subjectId: documentId },
        orderBy: { sequence: 'desc' },
      })
    ).data;
  return { open, secret, update, values, stored };
}

describe('the event of an update of a document', () => {
  it('has tags, assignees and values of fields before and after', async () => {
    const { open, update, values } = await setUp();
    expect(
      await update({
        tags: ['Blue', 'Red'],
        assigneeEmails: [],
        fieldValues: values('2', 'word'),
        name: 'b.txt',
      }),
    ).toEqual({
      name: ['a.txt', 'b.txt'],
      tags: [['Red'], ['Blue', 'Red']],
      assigneeEmails: [['a@people.test'], []],
      fieldValues: [[{ fieldId: open, values: ['1'] }], [{ fieldId: open, values: ['2'] }]],
    });
  });

  it('has nothing that was given as it was', async () => {
    const { update, values } = await setUp();
    const same = { tags: ['red'], assigneeEmails: ['a@people.test'], fieldValues: values('1', 'word') };
    expect(await update({ ...same, name: 'a.txt' })).toEqual({});
  });

  it('records values of sensitive fields, and shows them to nobody', async () => {
    const { secret, update, values, stored } = await setUp();
    expect(await update({ fieldValues: values('1', 'other') })).toEqual({});
    expect(await stored()).toMatchObject({
      sensitiveValues: {
        before: [{ fieldId: secret, values: ['word'] }],
        after: [{ fieldId: secret, values: ['other'] }],
      },
    });
  });
});
