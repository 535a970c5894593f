import { describe, expect, it } from 'vitest';
import { formLink } from '../../../src/domain/forms/form.ts';
import { createFormFields, updateFormFields } from '../../../src/domain/forms/form-field-change.ts';
import { shareFormTemplates, unshareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { updateProject } from '../../../src/domain/membership/project-change.ts';
import { addProjectMembers } from '../../../src/domain/membership/project-member-add.ts';
import { newId } from '../../../src/lib/id.ts';
import { newSecret } from '../../../src/lib/secret.ts';
import { newForm, newFormWorld } from '../../support/forms.ts';
import { newMember } from '../../support/world.ts';

const COLOUR = {
  name: 'Colour',
  type: 'TEXT' as const,
  choices: true,
  offered: { '': ['red', 'rose', 'blue'] },
};

/** A form with a public link, and a visitor without a credential. */
async function publicForm() {
  const world = await newFormWorld({ name: 'Name', type: 'TEXT', rules: { required: true } }, COLOUR, {
    name: 'Side',
    type: 'TEXT',
    multipleValues: true,
    rules: { defaultValues: ['N', 'S'] },
  });
  const { ctx, owner, organization, project, form } = world;
  const share = async () => {
    const [shared] = await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
    return (shared && formLink(ctx, shared)) ?? '';
  };
  const secret = await share();
  return {
    ...world,
    share,
    secret,
    visitor: await owner.with(''),
    base: `/organizations/${organization.id}/projects/${project.id}`,
    path: `/formTemplatesPublic/${form.id}`,
    field: (name: string, Value: string, Values = '') => ({ ID: form.ids[name], Value, Values }),
  };
}

describe('forms over REST v1', () => {
  it('are listed with their links, and list every field in one array', async () => {
    const { owner, ctx, project, base, form, secret } = await publicForm();
    await newForm(ctx, project.id, [], 'Private');
    const list = await owner.rest('GET', `${base}/formTemplates`);
    expect(list.body.FormTemplates).toMatchObject([
      { ID: form.id, TenantID: project.id, UniqueID: secret, Name: 'Visit', IsPublic: true, PageCount: 1 },
      { Name: 'Private', UniqueID: '', IsPublic: false, PageCount: 0 },
    ]);
    const many = await newForm(
      ctx,
      project.id,
      Array.from({ length: 60 }, (_, index) => ({ name: `Field ${index}`, type: 'NUMBER' as const })),
      'Long',
    );
    const fields = await owner.rest('GET', `${base}/formTemplates/${many.id}/fields`);
    expect(fields.body.map((each: { Field: { Name: string } }) => each.Field.Name)).toEqual(
      Array.from({ length: 60 }, (_, index) => `Field ${index}`),
    );
    const [first] = (await owner.rest('GET', `${base}/formTemplates/${form.id}/fields`)).body;
    expect(first).toMatchObject({
      FormTemplateID: form.id,
      FormTemplateName: 'Visit',
      TenantID: project.id,
      Type: 'FieldType_Text',
      Field: { Name: 'Name', Required: true, ProjectID: project.id, ProjectName: 'Quay' },
    });
  });

  it('list their fields with a bearer token under the path alias of clients', async () => {
    const { owner, stranger, project, base, path, form } = await publicForm();
    const canonical = await owner.rest('GET', `${base}/formTemplates/${form.id}/fields`);
    const aliased = await owner.rest('GET', `${path}/fields?tenantId=${project.id}`);
    expect([aliased.status, aliased.body]).toEqual([200, canonical.body]);
    const wrong = `${path}/fields?tenantId=${newId('Project')}`;
    expect((await owner.rest('GET', wrong)).status).toBe(404);
    expect((await stranger.rest('GET', `${path}/fields?tenantId=${project.id}`)).status).toBe(404);
  });

  it('are shared with people and by link: 400, 403, 404 and 409 change nothing', async () => {
    const { db, owner, organization, project, ctx, base, form } = await publicForm();
    const other = await newFormWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    const members = [{ person: { email: guest.email }, role: 'VIEWER' as const }];
    await addProjectMembers(ctx, { projectId: project.id, members });
    const share = async (body: object, person = owner) =>
      (await person.rest('POST', `${base}/formTemplateActions/share`, body)).status;
    const IDs = [form.id];
    expect(await share({ IDs })).toBe(400);
    expect(await share({ IDs: [], IsPublic: true })).toBe(400);
    expect(await share({ IDs, UserEmails: ['nobody'] })).toBe(400);
    expect(await share({ IDs, IsPublic: 'maybe' })).toBe(400);
    expect(await share({ IDs: [form.id, other.form.id], UserEmails: [guest.email] })).toBe(404);
    expect(await share({ IDs, UserEmails: [guest.email] }, guest)).toBe(403);
    expect(await db.prisma.formShare.count({ where: { formTemplateId: form.id } })).toBe(0);
    expect(await share({ ids: IDs, useremails: [guest.email], ispublic: 'False' })).toBe(200);
    const row = await db.prisma.formTemplate.findUniqueOrThrow({
      where: { id: form.id },
      include: { shares: true },
    });
    expect(row).toMatchObject({ state: 'SHARED', isPublic: false, shares: [{ email: guest.email }] });
    await updateProject(ctx, { projectId: project.id, disabled: true });
    expect(await share({ IDs, IsPublic: true })).toBe(409);
  });
});

describe('a public form', () => {
  it('can be opened, read and submitted with its link, in the steps of clients', async () => {
    const { db, visitor, owner, organization, path, form, secret, field } = await publicForm();
    const opened = await visitor.rest('GET', `${path}?uniqueId=${secret}`);
    expect(opened.status).toBe(200);
    const { ID, TenantID } = opened.body;
    const fields = await visitor.rest('GET', `/formTemplatesPublic/${ID}/fields?tenantId=${TenantID}`);
    expect(fields.body).toMatchObject([
      { Field: { Name: 'Name' } },
      { Field: { Name: 'Colour' } },
      { DefaultValue: 'N', DefaultValues: '["N","S"]' },
    ]);
    const choices = `/formTemplatesPublic/${ID}/fields/${fields.body[1].ID}/listItems?tenantId=${TenantID}`;
    const offered = await visitor.rest('GET', `${choices}&valueFilter=R`);
    expect(offered.body).toMatchObject([{ Value: 'red' }, { Value: 'rose' }]);
    const packages = [
      {
        TenantID,
        FormTemplateID: ID,
        FormSubmissionFields: [
          { ...fields.body[0], Value: 'Ada' },
          { ...fields.body[1], FormTemplateFieldID: fields.body[1].ID, ID: '', Value: 'red' },
          { ...fields.body[2], Values: '["a","b"]' },
        ],
      },
      { TenantID, FormTemplateID: ID, FormSubmissionFields: [field('Name', 'Bob'), field('Side', '')] },
    ];
    expect(await visitor.rest('POST', `${path}/submissions`, packages)).toMatchObject({
      status: 200,
      body: '',
    });
    const query = `query ($id: ID!) { formTemplate(id: $id) { submissions(first: 5, direction: ASC) { nodes {
      submittedBy { id } answers { values } } } } }`;
    const { data } = await owner.graph(query, { id: form.id });
    const stored = data.formTemplate.submissions.nodes as { answers: { values: string[] }[] }[];
    expect(stored.map(({ answers }) => answers.map(({ values }) => values))).toEqual([
      [['Ada'], ['red'], ['a', 'b']],
      [['Bob']],
    ]);
    expect(stored).toMatchObject([{ submittedBy: null }, { submittedBy: null }]);
    const [event] = await db.prisma.event.findMany({
      where: { organizationId: organization.id },
      orderBy: { sequence: 'desc' },
      take: 1,
    });
    expect(event).toMatchObject({ kind: 'form.submitted', actorId: null, credentialId: null });
    expect(JSON.stringify(await db.prisma.event.findMany({ select: { data: true } }))).not.toContain(secret);
  });

  it('does not disclose its organization and project to a visitor', async () => {
    const { visitor, organization, project, path, secret, form } = await publicForm();
    for (const address of [path, `${path}/fields`, `${path}/fields/${form.ids.Colour}/listItems`]) {
      const { status, body } = await visitor.rest('GET', `${address}?uniqueId=${secret}`);
      expect(status).toBe(200);
      for (const hidden of [organization.id, project.id, project.name, 'Harbor'])
        expect(JSON.stringify(body)).not.toContain(hidden);
    }
  });

  it('answers 401 without its link, and 404 to another one: unknown, malformed, or of another form', async () => {
    const { visitor, ctx, project, path, form } = await publicForm();
    const other = await publicForm();
    const otherForm = await newForm(ctx, project.id, [], 'Near');
    const [shared] = await shareFormTemplates(ctx, { formTemplateIds: [otherForm.id], isPublic: true });
    const otherSecret = shared && formLink(ctx, shared);
    const reads = [path, `${path}/fields`, `${path}/fields/${form.ids.Colour}/listItems`];
    const body = [{ FormSubmissionFields: [{ ID: form.ids.Name, Value: 'x' }] }];
    const statuses = async (query: string) => [
      ...(await Promise.all(reads.map(async (each) => (await visitor.rest('GET', each + query)).status))),
      (await visitor.rest('POST', `${path}/submissions${query}`, body)).status,
    ];
    for (const query of ['', '?uniqueId=', `?tenantId=${project.id}`])
      expect(await statuses(query)).toEqual([401, 401, 401, 401]);
    for (const secret of [newSecret('dgl_'), other.secret, otherSecret, form.id, 'x', '%00', '%F0%9F'])
      expect(await statuses(`?uniqueId=${secret}`)).toEqual([404, 404, 404, 404]);
    expect(await statuses(`?tenantId=${other.secret}`)).toEqual([404, 404, 404, 404]);
  });

  it('is not found immediately after it is unshared, also with the old link after it is shared again', async () => {
    const { visitor, owner, ctx, share, secret, path, form } = await publicForm();
    const open = async (link: string, person = visitor) =>
      (await person.rest('GET', `${path}?uniqueId=${link}`)).status;
    const submit = async (link: string) =>
      (
        await visitor.rest('POST', `${path}/submissions?uniqueId=${link}`, [
          { FormSubmissionFields: [{ ID: form.ids.Name, Value: 'x' }] },
        ])
      ).status;
    expect([await open(secret), await submit(secret)]).toEqual([200, 200]);
    await unshareFormTemplates(ctx, { formTemplateIds: [form.id] });
    expect([await open(secret), await submit(secret), await open(secret, owner)]).toEqual([404, 404, 404]);
    const next = await share();
    expect([await open(secret), await submit(secret)]).toEqual([404, 404]);
    expect([await open(next), await submit(next)]).toEqual([200, 200]);
  });

  it('is the only object that its link gives access to', async () => {
    const { visitor, base, ctx, project, secret, path, form } = await publicForm();
    const otherForm = await newForm(ctx, project.id, [{ name: 'Near', type: 'TEXT' }], 'Near');
    for (const other of ['/organizations', base, `${base}/formTemplates`, `${base}/documents`])
      expect((await visitor.rest('GET', `${other}?uniqueId=${secret}`)).status).toBe(401);
    const withLink = `?uniqueId=${secret}`;
    expect((await visitor.rest('GET', `/formTemplatesPublic/${otherForm.id}${withLink}`)).status).toBe(404);
    const foreign = `${path}/fields/${otherForm.ids.Near}/listItems${withLink}`;
    expect((await visitor.rest('GET', foreign)).status).toBe(404);
    const crossed = `/formTemplatesPublic/${otherForm.id}/fields/${form.ids.Colour}/listItems${withLink}`;
    expect((await visitor.rest('GET', crossed)).status).toBe(404);
  });

  it('refuses a whole submission with 400 and the name of the field, 404 and 409', async () => {
    const { db, visitor, ctx, project, secret, path, form, field } = await publicForm();
    const otherForm = await newForm(ctx, project.id, [{ name: 'Near', type: 'TEXT' }], 'Near');
    const submit = async (...packages: object[]) => {
      const { status, body } = await visitor.rest('POST', `${path}/submissions?uniqueId=${secret}`, packages);
      return [status, body.message];
    };
    const fine = { FormSubmissionFields: [field('Name', 'Ada')] };
    const refused: [object, number, RegExp][] = [
      [{ FormSubmissionFields: [] }, 400, /Name: an answer is required$/],
      [{ FormSubmissionFields: [field('Name', 'A'), field('Colour', 'green')] }, 400, /Colour: /],
      [{ FormSubmissionFields: [field('Name', '', '["a","b"]')] }, 400, /Name: takes one value$/],
      [
        { FormSubmissionFields: [field('Name', '', '[1]')] },
        400,
        /^1\.FormSubmissionFields\.0\.Values "\[1\]": must be/,
      ],
      [{ FormSubmissionFields: [{ Value: 'x' }] }, 400, /^1\.FormSubmissionFields\.0\.ID must be given/],
      [{ FormSubmissionFields: 'x' }, 400, /^1\.FormSubmissionFields "x" must be/],
      [{ ...fine, FormTemplateID: otherForm.id }, 400, /^FormTemplateID differs/],
      [{ ...fine, TenantID: newId('Project') }, 400, /^TenantID differs/],
      [{ FormSubmissionFields: [field('Name', 'a\u0000')] }, 400, /NUL/],
      [
        { FormSubmissionFields: [{ ID: otherForm.ids.Near, Value: 'x' }] },
        404,
        /^1\.FormSubmissionFields\.0\.ID "\w+": Form field not found\.$/,
      ],
    ];
    for (const [faulty, status, message] of refused)
      expect(await submit(fine, faulty)).toEqual([status, expect.stringMatching(message)]);
    expect(await submit({ ...fine, TenantID: newId('Project') })).toEqual([404, 'Form not found.']);
    expect(await submit(...Array.from({ length: 101 }, () => fine))).toEqual([400, expect.any(String)]);
    await updateProject(ctx, { projectId: project.id, disabled: true });
    expect(await submit(fine)).toEqual([409, 'The project is disabled.']);
    expect(await db.prisma.formSubmission.count({ where: { formTemplateId: form.id } })).toBe(0);
  });

  it('returns its own choices, or those that match the answer to the parent field', async () => {
    const { visitor, owner, ctx, project, secret, path, form } = await publicForm();
    const values = async (name: string, query = '') =>
      (
        await visitor.rest('GET', `${path}/fields/${form.ids[name]}/listItems?uniqueId=${secret}${query}`)
      ).body.map(({ Value }: { Value: string }) => Value);
    await updateFormFields(ctx, {
      formTemplateId: form.id,
      fields: [{ formFieldId: form.ids.Colour as string, possibleValues: ['rose', 'blue'] }],
    });
    expect(await values('Colour')).toEqual(['rose', 'blue']);
    const city = await owner.graph(
      `mutation ($input: CreateFieldsInput!) { createFields(input: $input) { fields { id } } }`,
      {
        input: {
          projectId: project.id,
          fields: [{ name: 'City', type: 'TEXT', choices: true, choicesDependOnParent: true }],
        },
      },
    );
    const [{ id: fieldId }] = city.data.createFields.fields;
    await owner.graph(
      `mutation ($input: AddFieldChoicesInput!) { addFieldChoices(input: $input) { field { id } } }`,
      {
        input: {
          fieldId,
          choices: Array.from({ length: 60 }, (_, index) => ({
            value: `City ${index}`,
            parentValue: index % 2 ? 'odd' : 'even',
          })),
        },
      },
    );
    const [added] = await createFormFields(ctx, { formTemplateId: form.id, fields: [{ fieldId }] });
    form.ids.City = added?.id as string;
    expect(await values('City')).toHaveLength(60);
    expect(await values('City', '&parentValue=odd&valueFilter=city%205')).toEqual([
      'City 5',
      'City 51',
      'City 53',
      'City 55',
      'City 57',
      'City 59',
    ]);
  });
});
