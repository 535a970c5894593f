import { describe, expect, it } from 'vitest';
import { createFields } from '../../../../src/domain/fields/field-change.ts';
import { deleteFormTemplates } from '../../../../src/domain/forms/form-change.ts';
import { shareFormTemplates, unshareFormTemplates } from '../../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../../src/domain/forms/form-submit.ts';
import { removeMembers } from '../../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import { counted } from '../../../support/database.ts';
import { answers, newForm, newFormWorld } from '../../../support/forms.ts';
import { newMember } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

const act = (name: string, input: string, result: string) =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { ${result} } }`;
const FORM = 'id name state isPublic linkId sharedWith version viewerCanUpdate viewerCanSubmit';
const CREATE = act('createFormTemplates', 'CreateFormTemplatesInput', `formTemplates { ${FORM} }`);
const UPDATE = act('updateFormTemplate', 'UpdateFormTemplateInput', `formTemplate { ${FORM} }`);
const DELETE = act('deleteFormTemplates', 'DeleteFormTemplatesInput', 'formTemplateIds');
const SHARE = act('shareFormTemplates', 'ShareFormTemplatesInput', `formTemplates { ${FORM} }`);
const UNSHARE = act('unshareFormTemplates', 'UnshareFormTemplatesInput', `formTemplates { ${FORM} }`);
const FIELD = 'id rank type required minimum maximum possibleValues defaultValues x field { name }';
const ADD = act('createFormFields', 'CreateFormFieldsInput', `fields { ${FIELD} }`);
const CHANGE = act('updateFormFields', 'UpdateFormFieldsInput', `fields { ${FIELD} }`);
const REORDER = act('reorderFormFields', 'ReorderFormFieldsInput', 'fields { rank field { name } }');
const REMOVE = act('deleteFormFields', 'DeleteFormFieldsInput', 'formFieldIds');
const SUBMIT = act('submitForm', 'SubmitFormInput', 'submissions { id groupId submittedBy { email } }');
const DETAILS = `query ($id: ID!) { formTemplate(id: $id) { name project { name } sharedWith viewerCanSubmit
  fields(first: 10) { nodes { field { name project { name } } choices(first: 5) { nodes { value } } } }
  submissions(first: 5) { totalCount nodes { submittedBy { email } answers { formField { field { name } } values } } } } }`;

describe('forms', () => {
  it('are created in input order, private and empty, and listed by name or state', async () => {
    const { owner, project, ctx } = await newFormWorld();
    const input = { projectId: project.id, formTemplates: [{ name: 'B' }, { name: 'A' }] };
    const { data } = await owner.graph(CREATE, { input });
    const fresh = { state: 'PRIVATE', isPublic: false, linkId: null, sharedWith: [], version: 1 };
    expect(data.createFormTemplates.formTemplates).toMatchObject([
      { name: 'B', ...fresh, viewerCanUpdate: true, viewerCanSubmit: false },
      { name: 'A', ...fresh },
    ]);
    const [{ id }] = data.createFormTemplates.formTemplates;
    await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
    const query = `query ($id: ID!, $node: ID!) { node(id: $node) { ... on FormTemplate { name } } project(id: $id) {
      all: formTemplates { totalCount nodes { name } }
      shared: formTemplates(filter: { state: SHARED }) { nodes { name } }
      named: formTemplates(filter: { namePrefix: "vI" }) { nodes { name } } } }`;
    expect((await owner.graph(query, { id: project.id, node: id })).data).toEqual({
      node: { name: 'B' },
      project: {
        all: { totalCount: 3, nodes: [{ name: 'A' }, { name: 'B' }, { name: 'Visit' }] },
        shared: { nodes: [{ name: 'B' }] },
        named: { nodes: [{ name: 'Visit' }] },
      },
    });
  });

  it('are renamed with the current version only, and deleted by an admin', async () => {
    const { db, owner, organization, project, form } = await newFormWorld();
    const input = { formTemplateId: form.id, name: 'Renamed', expectedVersion: 1 };
    const { data } = await owner.graph(UPDATE, { input });
    expect(data.updateFormTemplate.formTemplate).toMatchObject({ name: 'Renamed', version: 2 });
    expect(codes((await owner.graph(UPDATE, { input })).errors)).toEqual(['CONFLICT']);
    const member = await newMember(db, organization.id, 'MEMBER');
    const deletion = { projectId: project.id, formTemplateIds: [form.id] };
    expect(codes((await member.graph(DELETE, { input: deletion })).errors)).toEqual(['FORBIDDEN']);
    expect((await owner.graph(DELETE, { input: deletion })).data.deleteFormTemplates).toEqual({
      formTemplateIds: [form.id],
    });
    expect(codes((await owner.graph(DETAILS, { id: form.id })).errors)).toEqual(['NOT_FOUND']);
  });

  it('are invisible to strangers in every mutation, and readable by guests of the project', async () => {
    const { db, owner, stranger, organization, project, form, fieldIds } = await newFormWorld({
      name: 'F',
      type: 'TEXT',
    }).then((world) => ({ ...world, fieldIds: world.form.fieldIds }));
    const formTemplateId = form.id;
    const attempts: [string, Record<string, unknown>][] = [
      [UPDATE, { formTemplateId, name: 'x' }],
      [DELETE, { formTemplateIds: [formTemplateId] }],
      [SHARE, { formTemplateIds: [formTemplateId], isPublic: true }],
      [UNSHARE, { formTemplateIds: [formTemplateId] }],
      [ADD, { formTemplateId, fields: [{ fieldId: fieldIds[0] }] }],
      [CHANGE, { formTemplateId, fields: [{ formFieldId: form.ids.F, required: true }] }],
      [REORDER, { formTemplateId, formFieldIds: [form.ids.F] }],
      [REMOVE, { formTemplateId, formFieldIds: [form.ids.F] }],
    ];
    const guest = await newMember(db, organization.id, 'GUEST');
    await addProjectMembers(await owner.context(), {
      projectId: project.id,
      members: [{ person: { email: guest.email }, role: 'VIEWER' }],
    });
    const submit = { formTemplateId, submissions: [{ answers: [] }] };
    const before = await db.prisma.event.count({ where: { organizationId: organization.id } });
    for (const [mutation, input] of [...attempts, [SUBMIT, submit] as const]) {
      expect(codes((await stranger.graph(mutation, { input })).errors)).toEqual(['NOT_FOUND']);
      expect(codes((await guest.graph(mutation, { input })).errors)).toEqual(['FORBIDDEN']);
      const elsewhere = { ...input, organizationId: 'org_x' };
      expect(codes((await owner.graph(mutation, { input: elsewhere })).errors)).toEqual(['NOT_FOUND']);
    }
    expect(await db.prisma.event.count({ where: { organizationId: organization.id } })).toBe(before);
    expect(codes((await stranger.graph(DETAILS, { id: form.id })).errors)).toEqual(['NOT_FOUND']);
    expect((await guest.graph(DETAILS, { id: form.id })).data.formTemplate).toMatchObject({ name: 'Visit' });
  });
});

describe('fields of a form', () => {
  it('refer to fields of the project, with ranges, choices and defaults', async () => {
    const { owner, project, ctx, form } = await newFormWorld({ name: 'First', type: 'TEXT' });
    const createdFields = await createFields(ctx, {
      projectId: project.id,
      fields: [
        { name: 'Cost', type: 'CURRENCY', required: true },
        { name: 'Side', type: 'TEXT' },
      ],
    });
    const [cost, side] = createdFields.map(({ id }) => id);
    const fields = [
      { fieldId: cost, minimum: '0.10', maximum: '1000', x: 12.5 },
      { fieldId: side, possibleValues: ['North', 'South', 'North'], defaultValues: ['South'] },
    ];
    const { data } = await owner.graph(ADD, { input: { formTemplateId: form.id, fields } });
    expect(data.createFormFields.fields).toMatchObject([
      {
        rank: 1,
        type: 'CURRENCY',
        required: true,
        minimum: '0.1',
        maximum: '1000',
        x: 12.5,
        field: { name: 'Cost' },
      },
      { rank: 2, required: false, possibleValues: ['North', 'South'], defaultValues: ['South'] },
    ]);
  });

  it.each([
    [{ type: 'TEXT', rules: { minimum: '1' } }, 'F: only numbers and amounts have a range'],
    [{ type: 'NUMBER', rules: { minimum: 'one' } }, 'F: must be a number such as 1234.5'],
    [{ type: 'NUMBER', rules: { minimum: '2', maximum: '1' } }, 'F: its minimum is above its maximum'],
    [{ type: 'NUMBER', rules: { maximum: '1', defaultValues: ['2'] } }, 'F: must be at most 1'],
    [{ type: 'DATE', rules: { possibleValues: ['2026-02-30'] } }, /^F: must be a date/],
    [
      { type: 'TEXT', rules: { possibleValues: ['a'], defaultValues: ['b'] } },
      'F: b is not among its choices',
    ],
    [{ type: 'TEXT', rules: { defaultValues: ['a', 'b'] } }, 'F: takes one value'],
    [{ type: 'TEXT', rules: { pageIndex: -1 } }, /^fields\.0\.pageIndex: /],
  ])('refuse contradictory rules: %j', async ({ type, rules }, message) => {
    const { db, owner, project, ctx, form } = await newFormWorld();
    const [field] = await createFields(ctx, {
      projectId: project.id,
      fields: [{ name: 'F', type: type as 'TEXT' }],
    });
    const fields = [{ fieldId: field?.id, ...rules }];
    const { errors } = await owner.graph(ADD, { input: { formTemplateId: form.id, fields } });
    expect(errors).toMatchObject([{ message: expect.stringMatching(message) }]);
    expect(codes(errors)).toEqual(['BAD_USER_INPUT']);
    expect(await db.prisma.formField.count({ where: { formTemplateId: form.id } })).toBe(0);
  });

  it('cannot be added twice, nor from another project, and are added all or none', async () => {
    const { owner, project, ctx, form } = await newFormWorld({ name: 'F', type: 'TEXT' });
    const [more] = await createFields(ctx, {
      projectId: project.id,
      fields: [{ name: 'More', type: 'TEXT' }],
    });
    const other = await newFormWorld({ name: 'F', type: 'TEXT' });
    const add = async (...fieldIds: (string | undefined)[]) =>
      codes(
        (
          await owner.graph(ADD, {
            input: { formTemplateId: form.id, fields: fieldIds.map((fieldId) => ({ fieldId })) },
          })
        ).errors,
      );
    expect(await add(more?.id, form.fieldIds[0])).toEqual(['CONFLICT']);
    expect(await add(more?.id, more?.id)).toEqual(['CONFLICT']);
    expect(await add(more?.id, other.form.fieldIds[0])).toEqual(['NOT_FOUND']);
    expect(await add()).toEqual(['BAD_USER_INPUT']);
    expect((await owner.graph(DETAILS, { id: form.id })).data.formTemplate.fields.nodes).toHaveLength(1);
    expect(await add(more?.id)).toBeUndefined();
  });

  it('are changed and reordered, each listed exactly once', async () => {
    const { owner, form } = await newFormWorld(
      { name: 'A', type: 'NUMBER', rules: { minimum: '1', maximum: '5' } },
      { name: 'B', type: 'TEXT' },
    );
    const formTemplateId = form.id;
    const { A, B } = form.ids;
    const change = async (...fields: object[]) => owner.graph(CHANGE, { input: { formTemplateId, fields } });
    const changed = await change(
      { formFieldId: B, required: true },
      { formFieldId: A, minimum: '', maximum: '7' },
    );
    expect(changed.data.updateFormFields.fields).toMatchObject([
      { id: B, required: true },
      { id: A, minimum: null, maximum: '7' },
    ]);
    const partlyInvalid = await change({ formFieldId: B, required: false }, { formFieldId: A, minimum: '8' });
    expect(partlyInvalid.errors).toMatchObject([{ message: 'A: its minimum is above its maximum' }]);
    expect(codes((await change({ formFieldId: A }, { formFieldId: A })).errors)).toEqual(['BAD_USER_INPUT']);
    const order = async (...formFieldIds: (string | undefined)[]) =>
      owner.graph(REORDER, { input: { formTemplateId, formFieldIds } });
    for (const wrong of [[A], [A, A], [A, B, B]])
      expect(codes((await order(...wrong)).errors)).toEqual(['BAD_USER_INPUT']);
    expect(codes((await order(A, 'ffd_x')).errors)).toEqual(['NOT_FOUND']);
    expect((await order(B, A)).data.reorderFormFields.fields).toEqual([
      { rank: 0, field: { name: 'B' } },
      { rank: 1, field: { name: 'A' } },
    ]);
    const { data } = await owner.graph(DETAILS, { id: form.id });
    expect(data.formTemplate.fields.nodes.map((each: { field: object }) => each.field)).toMatchObject([
      { name: 'B' },
      { name: 'A' },
    ]);
  });

  it('can be deleted with their answers only by an admin, with withAnswers', async () => {
    const { db, owner, organization, ctx, form } = await newFormWorld(
      { name: 'A', type: 'TEXT' },
      { name: 'B', type: 'TEXT' },
    );
    const formTemplateId = form.id;
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    await submitForm(ctx, { formTemplateId, submissions: [{ answers: answers(form.ids, { A: ['said'] }) }] });
    const member = await newMember(db, organization.id, 'MEMBER');
    const remove = async (input: object) => member.graph(REMOVE, { input: { formTemplateId, ...input } });
    expect(codes((await remove({ formFieldIds: [form.ids.A, form.ids.B] })).errors)).toEqual(['CONFLICT']);
    expect((await remove({ formFieldIds: [form.ids.B] })).errors).toBeUndefined();
    const all = { formFieldIds: [form.ids.A], withAnswers: true };
    expect(codes((await remove(all)).errors)).toEqual(['FORBIDDEN']);
    expect((await owner.graph(REMOVE, { input: { formTemplateId, ...all } })).errors).toBeUndefined();
    expect((await owner.graph(DETAILS, { id: form.id })).data.formTemplate.submissions.nodes).toEqual([
      { submittedBy: { email: owner.email }, answers: [] },
    ]);
  });
});

describe('sharing a form', () => {
  it('makes the form public under a new link each time, and unsharing makes it private', async () => {
    const { db, owner, form } = await newFormWorld();
    const input = { formTemplateIds: [form.id] };
    const share = async () =>
      (await owner.graph(SHARE, { input: { ...input, isPublic: true } })).data.shareFormTemplates
        .formTemplates[0];
    const first = await share();
    expect(first).toMatchObject({
      state: 'SHARED',
      isPublic: true,
      linkId: expect.stringMatching(/^dgl_[\w-]{43}$/),
      viewerCanSubmit: true,
    });
    const stored = await db.prisma.formTemplate.findUniqueOrThrow({ where: { id: form.id } });
    expect(JSON.stringify(Object.values(stored))).not.toContain('dgl_');
    expect((await share()).linkId).toBe(first.linkId);
    expect((await owner.graph(UNSHARE, { input })).data.unshareFormTemplates.formTemplates).toMatchObject([
      { state: 'PRIVATE', isPublic: false, linkId: null },
    ]);
    expect(codes((await owner.graph(UNSHARE, { input })).errors)).toEqual(['CONFLICT']);
    expect((await share()).linkId).not.toBe(first.linkId);
    const { data } = await owner.graph(SHARE, { input: { ...input, isPublic: false } });
    expect(data.shareFormTemplates.formTemplates[0]).toMatchObject({ state: 'PRIVATE', linkId: null });
    expect(codes((await owner.graph(SHARE, { input })).errors)).toEqual(['BAD_USER_INPUT']);
  });

  it('makes the form visible to people of the organization who cannot see the project, and nothing else of the project', async () => {
    const { db, owner, organization, project, ctx, form } = await newFormWorld({
      name: 'Colour',
      type: 'TEXT',
      choices: true,
      offered: { '': ['red'] },
    });
    const guest = await newMember(db, organization.id, 'GUEST');
    const other = await newMember(db, organization.id, 'GUEST');
    const userEmails = [guest.email.toUpperCase(), owner.email];
    await owner.graph(SHARE, { input: { formTemplateIds: [form.id], userEmails, message: 'Please' } });
    expect((await guest.graph(DETAILS, { id: form.id })).data.formTemplate).toEqual({
      name: 'Visit',
      project: null,
      sharedWith: [guest.email],
      viewerCanSubmit: true,
      fields: {
        nodes: [{ field: { name: 'Colour', project: null }, choices: { nodes: [{ value: 'red' }] } }],
      },
      submissions: { totalCount: 0, nodes: [] },
    });
    const mine = 'query { viewer { sharedFormTemplates { totalCount nodes { name } } } }';
    expect((await guest.graph(mine)).data.viewer.sharedFormTemplates).toEqual({
      totalCount: 1,
      nodes: [{ name: 'Visit' }],
    });
    const projectOf = 'query ($id: ID!) { project(id: $id) { name } }';
    expect(codes((await guest.graph(projectOf, { id: project.id })).errors)).toEqual(['NOT_FOUND']);
    expect(
      codes((await guest.graph(UPDATE, { input: { formTemplateId: form.id, name: 'x' } })).errors),
    ).toEqual(['FORBIDDEN']);
    expect(codes((await other.graph(DETAILS, { id: form.id })).errors)).toEqual(['NOT_FOUND']);

    await unshareFormTemplates(ctx, { formTemplateIds: [form.id], userEmails: [guest.email] });
    expect(codes((await guest.graph(DETAILS, { id: form.id })).errors)).toEqual(['NOT_FOUND']);
    expect((await owner.graph(DETAILS, { id: form.id })).data.formTemplate.sharedWith).toEqual([owner.email]);
  });

  it('ends for people who leave the organization, and has no effect for outsiders', async () => {
    const { db, stranger, organization, ctx, form } = await newFormWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await shareFormTemplates(ctx, {
      formTemplateIds: [form.id],
      userEmails: [guest.email, stranger.email],
    });
    expect(codes((await stranger.graph(DETAILS, { id: form.id })).errors)).toEqual(['NOT_FOUND']);
    const membership = await db.prisma.membership.findFirstOrThrow({ where: { userId: guest.id } });
    await removeMembers(ctx, { organizationId: organization.id, memberIds: [membership.id] });
    const remaining = await db.prisma.formShare.findMany({ where: { formTemplateId: form.id } });
    expect(remaining.map(({ email }) => email)).toEqual([stranger.email]);
  });

  it('shares all forms of a batch, or none', async () => {
    const { db, owner, form } = await newFormWorld();
    const other = await newFormWorld();
    const input = { formTemplateIds: [form.id, other.form.id], isPublic: true };
    expect(codes((await owner.graph(SHARE, { input })).errors)).toEqual(['NOT_FOUND']);
    const rows = await db.prisma.formTemplate.findMany({ where: { id: { in: input.formTemplateIds } } });
    expect(rows.map(({ state, isPublic }) => [state, isPublic])).toEqual([
      ['PRIVATE', false],
      ['PRIVATE', false],
    ]);
  });
});

describe('submissions', () => {
  const formFields = [
    { name: 'Name', type: 'TEXT', rules: { required: true } },
    { name: 'Age', type: 'NUMBER', rules: { minimum: '0', maximum: '150' } },
    { name: 'Cost', type: 'CURRENCY' },
    { name: 'Day', type: 'DATE' },
    { name: 'Sure', type: 'BOOL' },
    { name: 'Colour', type: 'TEXT', choices: true, offered: { '': ['red', 'blue'] } },
    { name: 'Side', type: 'TEXT', multipleValues: true, rules: { possibleValues: ['North', 'South'] } },
  ] as const satisfies Parameters<typeof newForm>[2];

  it('have an answer of each type, and are visible to editors; others see their own', async () => {
    const { db, owner, organization, ctx, form } = await newFormWorld(...formFields);
    const [guest, other, editor] = [
      await newMember(db, organization.id, 'GUEST'),
      await newMember(db, organization.id, 'GUEST'),
      await newMember(db, organization.id, 'MEMBER'),
    ];
    const userEmails = [guest.email, other.email];
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], userEmails });
    const values = {
      Name: ['Ada'],
      Age: ['36.5'],
      Cost: ['-0.10'],
      Day: ['2026-02-28'],
      Sure: ['TRUE'],
      Colour: ['red'],
      Side: ['South', 'North'],
    };
    const submissions = [
      { answers: answers(form.ids, values) },
      { answers: answers(form.ids, { Name: ['Bob'], Age: [''] }) },
    ];
    const { data } = await guest.graph(SUBMIT, { input: { formTemplateId: form.id, submissions } });
    const [first, second] = data.submitForm.submissions;
    expect(first.submittedBy.email).toBe(guest.email);
    expect(second.groupId).toBe(first.groupId);
    const submissionsFor = async (person: typeof guest) =>
      (await person.graph(DETAILS, { id: form.id })).data.formTemplate.submissions;
    const all = await submissionsFor(editor);
    expect(all.totalCount).toBe(2);
    expect(all.nodes.at(0).answers).toEqual([{ formField: { field: { name: 'Name' } }, values: ['Bob'] }]);
    expect(all.nodes.at(1).answers.map((each: { values: string[] }) => each.values)).toEqual([
      ['Ada'],
      ['36.5'],
      ['-0.10'],
      ['2026-02-28'],
      ['true'],
      ['red'],
      ['South', 'North'],
    ]);
    expect(await submissionsFor(owner)).toEqual(all);
    expect((await submissionsFor(guest)).totalCount).toBe(2);
    expect(await submissionsFor(other)).toEqual({ totalCount: 0, nodes: [] });
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    expect(codes((await other.graph(node, { id: first.id })).errors)).toEqual(['NOT_FOUND']);
  });

  it.each([
    ['Name: an answer is required', {}],
    ['Name: an answer is required', { Name: ['  '] }],
    ['Name: takes one value', { Name: ['a', 'b'] }],
    ['Age: must be a number such as 1234.5', { Age: ['old'] }],
    ['Age: must be at least 0', { Age: ['-0.5'] }],
    ['Age: must be at most 150', { Age: ['150.01'] }],
    ['Cost: must be an amount such as 1234.50', { Cost: ['1e3'] }],
    [/^Day: must be a date/, { Day: ['2026-02-30'] }],
    ['Sure: must be true or false', { Sure: ['yes'] }],
    ['Colour: an answer is not among its choices', { Colour: ['green'] }],
    ['Side: Up is not among its choices', { Side: ['North', 'Up'] }],
    ['Name: at most 10,000 characters', { Name: ['x'.repeat(10_001)] }],
  ])('are all refused, with the field and the reason: %s', async (message, values) => {
    const { db, owner, ctx, form } = await newFormWorld(...formFields);
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    const valid = { answers: answers(form.ids, { Name: ['Ada'] }) };
    const faulty = {
      answers: answers(form.ids, Object.keys(values).length ? { Name: ['Bob'], ...values } : {}),
    };
    const input = { formTemplateId: form.id, submissions: [valid, faulty] };
    const { errors } = await owner.graph(SUBMIT, { input });
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(message),
        extensions: { code: 'BAD_USER_INPUT', at: expect.stringMatching(/^submissions\.1\.answers/) },
      },
    ]);
    expect(await db.prisma.formSubmission.count({ where: { formTemplateId: form.id } })).toBe(0);
  });

  it('must answer each field once, and only fields of the form', async () => {
    const { owner, project, ctx, form } = await newFormWorld({ name: 'A', type: 'TEXT' });
    const other = await newForm(ctx, project.id, [{ name: 'B', type: 'TEXT' }], 'Other');
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    const submit = async (...values: object[]) =>
      codes(
        (
          await owner.graph(SUBMIT, {
            input: { formTemplateId: form.id, submissions: [{ answers: values }] },
          })
        ).errors,
      );
    const one = { formFieldId: form.ids.A, values: ['x'] };
    expect(await submit(one, one)).toEqual(['BAD_USER_INPUT']);
    expect(await submit(one, { formFieldId: other.ids.B, values: ['x'] })).toEqual(['NOT_FOUND']);
    const none = await owner.graph(SUBMIT, { input: { formTemplateId: form.id, submissions: [] } });
    expect(codes(none.errors)).toEqual(['BAD_USER_INPUT']);
    const { ids, id } = await newForm(
      ctx,
      project.id,
      [{ name: 'Many', type: 'TEXT', multipleValues: true }],
      'Many',
    );
    await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
    const many = { answers: answers(ids, { Many: Array.from({ length: 100 }, () => 'x') }) };
    const input = { formTemplateId: id, submissions: Array.from({ length: 21 }, () => many) };
    expect(codes((await owner.graph(SUBMIT, { input })).errors)).toEqual(['BAD_USER_INPUT']);
  });

  it('accept choices that match the answer to the parent field, and never add choices', async () => {
    const { owner, ctx, project, form } = await newFormWorld(
      { name: 'Country', type: 'TEXT' },
      { name: 'Free', type: 'TEXT', choices: true, newChoicesAllowed: true, newChoicesSaved: true },
    );
    const [city] = await createFields(ctx, {
      projectId: project.id,
      fields: [
        {
          name: 'City',
          type: 'TEXT',
          parentId: form.fieldIds[0],
          choices: true,
          choicesDependOnParent: true,
        },
      ],
    });
    const added = await owner.graph(ADD, {
      input: { formTemplateId: form.id, fields: [{ fieldId: city?.id }] },
    });
    const ids = { ...form.ids, City: added.data.createFormFields.fields[0].id };
    const choices = [
      { value: 'Bern', parentValue: 'CH' },
      { value: 'Lyon', parentValue: 'FR' },
      { value: 'Elsewhere' },
    ];
    const add = act('addFieldChoices', 'AddFieldChoicesInput', 'field { id }');
    await owner.graph(add, { input: { fieldId: city?.id, choices } });
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    const submit = async (values: Record<string, string[]>) =>
      codes(
        (
          await owner.graph(SUBMIT, {
            input: { formTemplateId: form.id, submissions: [{ answers: answers(ids, values) }] },
          })
        ).errors,
      );
    expect(await submit({ Country: ['CH'], City: ['Bern'] })).toBeUndefined();
    expect(await submit({ Country: ['CH'], City: ['Elsewhere'] })).toBeUndefined();
    expect(await submit({ Country: ['CH'], City: ['Lyon'] })).toEqual(['BAD_USER_INPUT']);
    expect(await submit({ City: ['Lyon'] })).toEqual(['BAD_USER_INPUT']);
    expect(await submit({ Free: ['new'] })).toBeUndefined();
    const query = 'query ($id: ID!) { field(id: $id) { choices { totalCount } } }';
    expect((await owner.graph(query, { id: form.fieldIds[1] })).data.field.choices.totalCount).toBe(0);
  });

  it('require a shared form in an enabled project, and a person with whom the form is shared', async () => {
    const { db, owner, organization, project, ctx, form } = await newFormWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await addProjectMembers(ctx, {
      projectId: project.id,
      members: [{ person: { email: guest.email }, role: 'VIEWER' }],
    });
    const submit = async (person: typeof owner) =>
      codes(
        (await person.graph(SUBMIT, { input: { formTemplateId: form.id, submissions: [{ answers: [] }] } }))
          .errors,
      );
    expect(await submit(owner)).toEqual(['CONFLICT']);
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], userEmails: [owner.email] });
    expect([await submit(owner), await submit(guest)]).toEqual([undefined, ['FORBIDDEN']]);
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], userEmails: [guest.email] });
    expect(await submit(guest)).toBeUndefined();
    await updateProject(ctx, { projectId: project.id, disabled: true });
    expect(await submit(guest)).toEqual(['CONFLICT']);
  });

  it('and fields need one statement a level, for any number of forms', async () => {
    const { owner, project, ctx, form } = await newFormWorld({ name: 'A', type: 'TEXT' });
    const query = `query ($id: ID!) { project(id: $id) { formTemplates(first: 4) { nodes { createdBy { name } project { name }
      fields(first: 4) { nodes { field { name } choices(first: 4) { nodes { value } } } }
      submissions(first: 4) { nodes { submittedBy { name } answers { formField { field { name } } values } } } } } } }`;
    const fill = async ({ id, ids }: typeof form, name: string) => {
      await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
      const submission = { answers: answers(ids, { [name]: ['x'] }) };
      await submitForm(ctx, { formTemplateId: id, submissions: [submission, submission] });
    };
    await fill(form, 'A');
    const few = await counted(() => owner.graph(query, { id: project.id }));
    for (const name of ['B', 'C'])
      await fill(await newForm(ctx, project.id, [{ name, type: 'TEXT' }], name), name);
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.errors).toBeUndefined();
    expect(many.result.data.project.formTemplates.nodes).toHaveLength(3);
    expect(many.statements.sort()).toEqual(few.statements.sort());
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'are accepted before the form is unshared, and never after',
    async () => {
      const { db, organization, ctx, form } = await newFormWorld({ name: 'A', type: 'TEXT' });
      for (let round = 0; round < 5; round++) {
        await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
        const submission = { answers: answers(form.ids, { A: ['x'] }) };
        await Promise.allSettled([
          ...Array.from({ length: 8 }, () =>
            submitForm(ctx, { formTemplateId: form.id, submissions: [submission] }),
          ),
          unshareFormTemplates(ctx, { formTemplateIds: [form.id] }),
          ...Array.from({ length: 8 }, () =>
            submitForm(ctx, { formTemplateId: form.id, submissions: [submission] }),
          ),
        ]);
      }
      const events = await db.prisma.event.findMany({
        where: { organizationId: organization.id, kind: { startsWith: 'form.' } },
        orderBy: { sequence: 'asc' },
      });
      const kinds = events.map(({ kind }) => kind);
      const afterUnshare = kinds.filter(
        (kind, index) => kind === 'form.submitted' && kinds[index - 1] === 'form.unshared',
      );
      expect(afterUnshare).toEqual([]);
      expect(kinds.filter((kind) => kind === 'form.submitted')).toHaveLength(
        await db.prisma.formSubmission.count({ where: { formTemplateId: form.id } }),
      );
    },
  );

  it('leave no rows behind when their form is deleted concurrently', async () => {
    const { db, ctx, project, form } = await newFormWorld({ name: 'A', type: 'TEXT' });
    await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    const submit = () =>
      submitForm(ctx, {
        formTemplateId: form.id,
        submissions: [{ answers: answers(form.ids, { A: ['x'] }) }],
      });
    const deletion = deleteFormTemplates(ctx, { projectId: project.id, formTemplateIds: [form.id] });
    const results = await Promise.allSettled([submit(), deletion, submit()]);
    expect(results[1]?.status).toBe('fulfilled');
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NOT_FOUND' });
    expect(await db.prisma.formSubmission.count({ where: { formTemplateId: form.id } })).toBe(0);
    expect(await db.prisma.formSubmissionValue.count({ where: { formFieldId: form.ids.A } })).toBe(0);
  });
});
