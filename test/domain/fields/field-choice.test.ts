import { expect, it } from 'vitest';
import { createFields } from '../../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../../src/domain/fields/field-choice.ts';
import { newWorld } from '../../support/world.ts';

/** A field, and a function that changes its choices and returns the data of the event. */
async function setUp() {
  const { db, owner, project } = await newWorld();
  const ctx = await owner.context();
  const [field] = await createFields(ctx, {
    projectId: project.id,
    fields: [{ name: 'Colour', type: 'TEXT', onDocuments: true }],
  });
  const fieldId = field?.id as string;
  return async (values: string[], replace = false) => {
    await addFieldChoices(ctx, { fieldId, choices: values.map((value) => ({ value })), replace });
    const where = { subjectId: fieldId, kind: 'field.choices_changed' };
    const { data } = await db.prisma.event.findFirstOrThrow({ where, orderBy: { sequence: 'desc' } });
    return data;
  };
}

it('records which choices were added, and not those that exist', async () => {
  const change = await setUp();
  await change(['red', 'blue']);
  expect(await change(['blue', 'green', 'green'])).toEqual({
    before: { choices: [] },
    after: { choices: [{ value: 'green', rank: 3 }] },
  });
});

it('records which choices were replaced, added and moved, and not those that stayed', async () => {
  const change = await setUp();
  await change(['red', 'blue', 'green']);
  expect(await change(['red', 'green', 'white'], true)).toEqual({
    before: {
      choices: [
        { value: 'blue', rank: 1 },
        { value: 'green', rank: 2 },
      ],
    },
    after: {
      choices: [
        { value: 'green', rank: 1 },
        { value: 'white', rank: 2 },
      ],
    },
  });
});

it('cuts long lists, and says how many choices changed', async () => {
  const change = await setUp();
  await change(Array.from({ length: 2_001 }, (_, index) => `choice ${index}`));
  expect(await change(['red'], true)).toMatchObject({
    before: { choices: { length: 2_000 }, choiceCount: 2_001 },
    after: { choices: [{ value: 'red', rank: 0 }], choiceCount: 1 },
  });
});
