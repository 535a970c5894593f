import { describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { updateSignatureSession } from '../../../../src/domain/signatures/signature-session-change.ts';
import { createSignatureTemplates } from '../../../../src/domain/signatures/signature-template-change.ts';
import { signDocument } from '../../../../src/domain/signing/sign.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { newSigningWorld } from '../../../support/signatures.ts';
import { config, joinProject, newMember, type Person } from '../../../support/world.ts';

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;

const RETURNS: Record<string, string> = {
  ensureSignatureForm: 'form { id fieldCount templateId }',
  updateSignatureForm: 'form { id lastViewedPageIndex templateId modifiedAt }',
  addSignatureFields: 'fields { id type pageIndex x y rank label required recipient { id } }',
  updateSignatureField: 'field { id type x label required recipient { id } }',
  deleteSignatureFields: 'fieldIds',
  ensureSignatureSession: 'session { id state }',
  updateSignatureSession: `session { id state design useAccessCode version revision { number } modifiedBy { id }
    recipients(first: 10) { nodes { id rank email fullName memberId user { id } state linkSecret } } }`,
  stopSignatureSession: 'session { id state stoppedAt }',
  renewSignatureLinks: 'recipients { id linkSecret }',
  signDocument: 'recipientId state sessionCompleted',
  declineSignature: 'recipientId state sessionCompleted',
  createSignatureFormTemplates: 'templates { id name }',
  updateSignatureFormTemplate: 'template { id name }',
  deleteSignatureFormTemplate: 'templateId',
  addSignatureTemplateFields: 'fields { id type recipientRank rank label widthPercent }',
  applySignatureFormTemplate: 'form { id templateId fieldCount }',
};

const inputType = (verb: string) => `${verb[0]?.toUpperCase()}${verb.slice(1)}Input`;

/** The payload of a mutation, or the codes of its errors. */
async function call(person: Person, verb: string, input: object) {
  const mutation = `mutation ($input: ${inputType(verb)}!) { ${verb}(input: $input) { ${RETURNS[verb]} } }`;
  const { data, errors } = await person.graph(mutation, { input });
  return errors ? errors.map(({ extensions }) => extensions.code) : data[verb];
}

const PLACED = { type: 'SIGNATURE', pageIndex: 0, x: 1, y: 2 };

/** A session in each of its states. */
const IN_STATE = {
  DRAFT: (desk: Desk) => desk.draft([{ name: 'Ann' }]),
  ACTIVE: (desk: Desk) => desk.active([{ name: 'Ann' }]),
  COMPLETED: async (desk: Desk) => {
    const session = await desk.active([{ name: 'Ann' }]);
    const [ann] = await desk.signersOf(session.sessionId);
    if (!ann) throw new Error('nobody signs');
    const values = ann.fields.map(({ id: fieldId }) => ({ fieldId, value: 'A' }));
    await signDocument(desk.through(ann), { sessionId: session.sessionId, recipientId: ann.id, values });
    return session;
  },
  STOPPED: async (desk: Desk) => {
    const session = await desk.active([{ name: 'Ann' }]);
    await call(desk.owner, 'stopSignatureSession', { documentId: session.documentId });
    return session;
  },
};

interface SessionIds {
  documentId: string;
  formId: string;
  sessionId: string;
}

const DO: Record<string, (desk: Desk, session: SessionIds) => Promise<unknown>> = {
  save: ({ owner }, { documentId }) =>
    call(owner, 'updateSignatureSession', { documentId, design: 'CUSTOM' }),
  invite: ({ owner }, { documentId }) =>
    call(owner, 'updateSignatureSession', { documentId, recipients: [{ email: 'new@signers.test' }] }),
  begin: ({ owner }, { documentId }) => call(owner, 'updateSignatureSession', { documentId, begin: true }),
  reset: ({ owner }, { documentId }) => call(owner, 'updateSignatureSession', { documentId, reset: true }),
  stop: ({ owner }, { documentId }) => call(owner, 'stopSignatureSession', { documentId }),
  addField: ({ owner }, { formId }) => call(owner, 'addSignatureFields', { formId, fields: [PLACED] }),
  clear: ({ owner }, { formId }) => call(owner, 'deleteSignatureFields', { formId }),
};

const ALLOWED: Record<keyof typeof IN_STATE, string[]> = {
  DRAFT: ['save', 'invite', 'begin', 'reset', 'addField', 'clear'],
  ACTIVE: ['reset', 'stop'],
  COMPLETED: [],
  STOPPED: ['reset'],
};

const pairs = (Object.keys(IN_STATE) as (keyof typeof IN_STATE)[]).flatMap((state) =>
  Object.keys(DO).map((verb) => [state, verb] as const),
);

describe('a signing session', () => {
  it('leads from a form and signers to a signed document', async () => {
    const desk = await newSigningWorld();
    const { owner, db } = desk;
    const documentId = await desk.document();
    const { session } = await call(owner, 'updateSignatureSession', {
      documentId,
      recipients: [
        { email: owner.email.toUpperCase(), rank: 2 },
        { email: 'out@signers.test', fullName: 'Out', rank: 7 },
      ],
    });
    const [mine, out] = session.recipients.nodes;
    expect(session).toMatchObject({
      state: 'DRAFT',
      design: 'CUSTOM',
      revision: { number: 1 },
      modifiedBy: { id: owner.id },
    });
    expect([mine, out]).toMatchObject([
      {
        rank: 2,
        email: owner.email,
        fullName: expect.stringMatching(/^Person/),
        user: { id: owner.id },
        memberId: expect.stringMatching(/^mem_/),
        state: 'WAITING',
        linkSecret: null,
      },
      {
        rank: 7,
        email: 'out@signers.test',
        fullName: 'Out',
        user: null,
        memberId: null,
        state: 'WAITING',
        linkSecret: null,
      },
    ]);
    const { form } = await call(owner, 'ensureSignatureForm', { documentId });
    const { fields } = await call(owner, 'addSignatureFields', {
      formId: form.id,
      fields: [
        { ...PLACED, recipientId: mine.id, label: 'Here' },
        { ...PLACED, type: 'DATE', recipientRank: 7, required: false },
      ],
    });
    expect(fields).toMatchObject([
      { rank: 0, label: 'Here', required: true, recipient: { id: mine.id } },
      { rank: 1, label: null, required: false, recipient: { id: out.id } },
    ]);
    const begun = await call(owner, 'updateSignatureSession', { documentId, begin: true });
    expect(begun.session).toMatchObject({
      state: 'ACTIVE',
      recipients: {
        nodes: [
          { state: 'REQUESTED', linkSecret: expect.stringMatching(/^dgl_[\w-]{43}$/) },
          { state: 'WAITING', linkSecret: null },
        ],
      },
    });
    const signing = `query ($s: ID!, $r: ID!) { signing(sessionId: $s, recipientId: $r) { fullName state requiresAccessCode
      form { design fields(first: 5) { totalCount nodes { fieldId type } } } content { name url contentType } } }`;
    const { data } = await owner.graph(signing, { s: session.id, r: mine.id });
    expect(data.signing).toMatchObject({
      state: 'REQUESTED',
      requiresAccessCode: false,
      form: {
        design: 'CUSTOM',
        fields: { totalCount: 1, nodes: [{ fieldId: fields[0].id, type: 'SIGNATURE' }] },
      },
      content: { name: 'contract.txt', url: expect.stringMatching(/^http:\/\/docgraph\.test\/downloads\//) },
    });
    const values = [{ fieldId: fields[0].id, value: 'Person' }];
    const signed = await call(owner, 'signDocument', { sessionId: session.id, recipientId: mine.id, values });
    expect(signed).toEqual({ recipientId: mine.id, state: 'COMPLETED', sessionCompleted: false });
    const [, last] = await desk.signersOf(session.id);
    if (!last) throw new Error('nobody is left');
    await signDocument(desk.through(last), { sessionId: session.id, recipientId: last.id, values: [] });
    expect(
      (await db.prisma.document.findUniqueOrThrow({ where: { id: documentId } })).signedAt,
    ).not.toBeNull();
    expect(
      (
        await owner.graph(
          `query ($id: ID!) { document(id: $id) { signedAt signatureSession { state completedAt sealedAt } } }`,
          { id: documentId },
        )
      ).data.document,
    ).toMatchObject({
      signedAt: expect.any(String),
      signatureSession: { state: 'COMPLETED', completedAt: expect.any(String), sealedAt: null },
    });
  });

  it.each(
    pairs,
  )('in the state %s accepts or refuses %s as documented; if refused, nothing changes', async (state, verb) => {
    const desk = await newSigningWorld();
    const session = await IN_STATE[state](desk);
    const before = await desk.everything(session.documentId);
    const answer = await DO[verb]?.(desk, session);
    if (ALLOWED[state].includes(verb)) expect(answer).not.toBeInstanceOf(Array);
    else {
      expect(answer).toEqual(['CONFLICT']);
      expect(await desk.everything(session.documentId)).toEqual(before);
    }
  });

  it('that is reset is replaced by a draft with the same signers and empty fields, and stays listed', async () => {
    const desk = await newSigningWorld();
    const { owner, signersOf } = desk;
    const { documentId, sessionId } = await desk.active(
      [
        { name: 'Ann', rank: 1 },
        { name: 'Bob', rank: 3 },
      ],
      {
        useAccessCode: true,
        accessCode: 'harbor-7',
      },
    );
    const [ann, bob] = await signersOf(sessionId);
    if (!ann || !bob) throw new Error('nobody signs');
    const values = ann.fields.map(({ id: fieldId }) => ({ fieldId, value: 'A' }));
    await signDocument(desk.through(ann), { sessionId, recipientId: ann.id, accessCode: 'harbor-7', values });
    const { session } = await call(owner, 'updateSignatureSession', { documentId, sessionId, reset: true });
    expect(session).toMatchObject({
      state: 'DRAFT',
      useAccessCode: true,
      recipients: {
        nodes: [
          { fullName: 'Ann', rank: 1, state: 'WAITING' },
          { fullName: 'Bob', rank: 3, state: 'WAITING' },
        ],
      },
    });
    expect(session.id).not.toBe(sessionId);
    const copies = await signersOf(session.id);
    expect(
      copies.flatMap(({ fields }) => fields.map(({ id, value, completedAt }) => [id, value, completedAt])),
    ).toEqual([...ann.fields, ...bob.fields].map(({ id }) => [id, null, null]));
    expect(
      (await signersOf(sessionId)).map(({ state, completedAt }) => [state, completedAt !== null]),
    ).toEqual([
      ['COMPLETED', true],
      ['REQUESTED', false],
    ]);
    const list = `query ($id: ID!) { document(id: $id) { signatureSessions(first: 5) { totalCount nodes { id state } } } }`;
    expect((await owner.graph(list, { id: documentId })).data.document.signatureSessions).toEqual({
      totalCount: 2,
      nodes: [
        { id: session.id, state: 'DRAFT' },
        { id: sessionId, state: 'STOPPED' },
      ],
    });
    expect((await call(owner, 'updateSignatureSession', { documentId, begin: true })).session.state).toBe(
      'ACTIVE',
    );
  });

  it('is reset, saved and begun in one mutation, with the ids of the previous signers', async () => {
    const desk = await newSigningWorld();
    const { owner, signersOf } = desk;
    const { documentId, sessionId } = await desk.active([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann] = await signersOf(sessionId);
    const input = {
      documentId,
      reset: true,
      begin: true,
      recipients: [{ id: ann?.id, email: 'ann@new.test' }],
    };
    expect(await call(owner, 'updateSignatureSession', input)).toEqual(['CONFLICT']);
    expect((await signersOf(sessionId)).map(({ state }) => state)).toEqual(['REQUESTED', 'WAITING']);
    const { session } = await call(owner, 'updateSignatureSession', { ...input, begin: false });
    expect(session.recipients.nodes).toMatchObject([
      { email: 'ann@new.test', rank: 1, fullName: 'ann@new.test' },
    ]);
    const [copy] = await signersOf(session.id);
    expect(copy?.fields).toHaveLength(1);
  });

  it('begins only if every signer has a field, and every field a signer', async () => {
    const desk = await newSigningWorld();
    const { owner } = desk;
    const begin = (documentId: string) => call(owner, 'updateSignatureSession', { documentId, begin: true });
    const empty = await desk.document();
    expect(await begin(empty)).toEqual(['CONFLICT']);
    const { documentId, formId } = await desk.draft([{ name: 'Ann' }, { name: 'Bob', fields: [] }]);
    expect(await begin(documentId)).toEqual(['CONFLICT']);
    const { fields } = await call(owner, 'addSignatureFields', {
      formId,
      fields: [{ ...PLACED, recipientRank: 2 }, PLACED],
    });
    expect(await begin(documentId)).toEqual(['CONFLICT']);
    await call(owner, 'updateSignatureField', { formId, fieldId: fields[1].id, recipientRank: 1 });
    expect((await begin(documentId)).session.state).toBe('ACTIVE');
  });

  it('with quick design adds the fields automatically, once', async () => {
    const desk = await newSigningWorld();
    const { owner, signersOf } = desk;
    const { documentId } = await desk.draft([
      { name: 'Ann', fields: ['TEXT'] },
      { name: 'Bob', fields: [] },
    ]);
    const options = {
      design: 'QUICK',
      placeInitials: true,
      placeFullName: true,
      placeEmail: true,
      placeTitle: true,
    };
    for (const again of [false, true]) {
      const { session } = await call(owner, 'updateSignatureSession', {
        documentId,
        ...options,
        reset: again,
        begin: true,
      });
      const types = (await signersOf(session.id)).map(({ fields }) => fields.map(({ type }) => type));
      expect(types).toEqual(Array(2).fill(['SIGNATURE', 'INITIALS', 'FULL_NAME', 'EMAIL', 'TITLE']));
    }
  });

  it('keeps the fields of a removed signer, without a signer', async () => {
    const desk = await newSigningWorld();
    const { owner, signersOf, db } = desk;
    const { documentId, formId, sessionId } = await desk.draft([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann] = await signersOf(sessionId);
    await call(owner, 'updateSignatureSession', {
      documentId,
      recipients: [{ id: ann?.id, email: 'ann@signers.test', rank: 4 }],
    });
    expect(await signersOf(sessionId)).toMatchObject([{ id: ann?.id, rank: 4 }]);
    const fields = await db.prisma.signatureField.findMany({ where: { formId }, orderBy: { rank: 'asc' } });
    expect(fields.map(({ recipientId }) => recipientId)).toEqual([ann?.id, null]);
  });

  it.each([
    ['an invalid address', { recipients: [{ email: 'x' }] }, 'BAD_USER_INPUT'],
    ['too many signers', { recipients: Array(101).fill({ email: 'a@b.test' }) }, 'BAD_USER_INPUT'],
    ['a rank below 0', { recipients: [{ email: 'a@b.test', rank: -1 }] }, 'BAD_USER_INPUT'],
    [
      'a signer of another session',
      { recipients: [{ id: newId('SignatureRecipient'), email: 'a@b.test' }] },
      'NOT_FOUND',
    ],
    ['a missing access code', { useAccessCode: true }, 'BAD_USER_INPUT'],
    ['a code of three characters', { accessCode: 'abc' }, 'BAD_USER_INPUT'],
    ['a text with NUL', { customSubject: 'a\0' }, 'BAD_USER_INPUT'],
    ['half a character', { customBody: '\ud800' }, 'BAD_USER_INPUT'],
    ['a version that is not the current one', { expectedVersion: 99 }, 'CONFLICT'],
    ['another session', { sessionId: newId('SignatureSession') }, 'NOT_FOUND'],
    ['another project', { projectId: newId('Project') }, 'NOT_FOUND'],
    ['another organization', { organizationId: newId('Organization') }, 'NOT_FOUND'],
  ])('refuses %s, and changes nothing', async (_, more, code) => {
    const desk = await newSigningWorld();
    const { documentId } = await desk.draft([{ name: 'Ann' }]);
    const before = await desk.everything(documentId);
    expect(
      await call(desk.owner, 'updateSignatureSession', { documentId, design: 'QUICK', ...more }),
    ).toEqual([code]);
    expect(await desk.everything(documentId)).toEqual(before);
  });

  it('refuses a repeated signer, also by the id before a reset', async () => {
    const desk = await newSigningWorld();
    const { documentId, sessionId } = await desk.draft([{ name: 'Ann' }]);
    const [ann] = await desk.signersOf(sessionId);
    const recipients = Array(2).fill({ id: ann?.id, email: 'ann@signers.test' });
    expect(await call(desk.owner, 'updateSignatureSession', { documentId, recipients })).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('cannot be changed for a document in the recycle bin', async () => {
    const desk = await newSigningWorld();
    const { owner, ctx } = desk;
    const session = await desk.active([{ name: 'Ann' }]);
    const plain = await desk.document();
    await recycleDocuments(ctx, { documentIds: [session.documentId, plain] });
    const answers = [];
    for (const verb of ['save', 'begin', 'reset', 'stop', 'addField', 'clear'])
      answers.push(await DO[verb]?.(desk, session));
    for (const verb of ['ensureSignatureForm', 'ensureSignatureSession'])
      answers.push(await call(owner, verb, { documentId: plain }));
    expect(answers).toEqual(Array(8).fill(['CONFLICT']));
  });
});

describe('the fields of a form', () => {
  it('are appended, or replace the others, all or none', async () => {
    const desk = await newSigningWorld();
    const { owner, db } = desk;
    const { formId } = await desk.draft([{ name: 'Ann', fields: ['DATE', 'TEXT'] }]);
    const types = async () =>
      (await db.prisma.signatureField.findMany({ where: { formId }, orderBy: { rank: 'asc' } })).map(
        ({ type, rank }) => [type, rank],
      );
    await call(owner, 'addSignatureFields', { formId, fields: [{ ...PLACED, type: 'TITLE' }] });
    expect(await types()).toEqual([
      ['DATE', 0],
      ['TEXT', 1],
      ['TITLE', 2],
    ]);
    const wrong = [
      { ...PLACED, recipientId: newId('SignatureRecipient') },
      { ...PLACED, recipientRank: 9 },
    ];
    for (const each of wrong)
      expect(
        await call(owner, 'addSignatureFields', { formId, clearExisting: true, fields: [PLACED, each] }),
      ).toEqual(['NOT_FOUND']);
    for (const each of [{ x: -1 }, { y: 1e9 }, { pageIndex: -1 }, { label: 'x'.repeat(256) }])
      expect(
        await call(owner, 'addSignatureFields', {
          formId,
          clearExisting: true,
          fields: [PLACED, { ...PLACED, ...each }],
        }),
      ).toEqual(['BAD_USER_INPUT']);
    expect(await types()).toHaveLength(3);
    await call(owner, 'addSignatureFields', {
      formId,
      clearExisting: true,
      fields: [{ ...PLACED, type: 'EMAIL' }],
    });
    expect(await types()).toEqual([['EMAIL', 0]]);
    expect(await call(owner, 'addSignatureFields', { formId, fields: [] })).toEqual(['BAD_USER_INPUT']);
    const many = { formId, fields: Array(config.limits.batchMax).fill(PLACED) };
    expect(await call(owner, 'addSignatureFields', many)).toEqual(['BAD_USER_INPUT']);
    expect(await call(owner, 'addSignatureFields', { formId, clearExisting: true, fields: [] })).toEqual({
      fields: [],
    });
    expect(await types()).toEqual([]);
  });

  it('must be on existing pages, if the number of pages is known', async () => {
    const desk = await newSigningWorld();
    const { owner, db } = desk;
    const { documentId, formId } = await desk.draft([{ name: 'Ann' }]);
    await db.prisma.document.update({ where: { id: documentId }, data: { pageCount: 3 } });
    const addOnPage = (pageIndex: number) =>
      call(owner, 'addSignatureFields', { formId, fields: [{ ...PLACED, pageIndex }] });
    expect([(await addOnPage(2)).fields.length, await addOnPage(3)]).toEqual([1, ['BAD_USER_INPUT']]);
  });

  it('on a page that the document does not have keep signing from beginning', async () => {
    const desk = await newSigningWorld();
    const { ctx, db } = desk;
    const { documentId, formId } = await desk.draft([{ name: 'Ann' }]);
    await db.prisma.signatureField.updateMany({ where: { formId }, data: { pageIndex: 4 } });
    await db.prisma.document.update({ where: { id: documentId }, data: { pageCount: 3 } });
    await expect(updateSignatureSession(ctx, { documentId, begin: true })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'A field is on page 5, but the document has 3.',
    });
  });

  it('are changed and deleted singly or all at once', async () => {
    const desk = await newSigningWorld();
    const { owner, db } = desk;
    const { formId, sessionId } = await desk.draft([{ name: 'Ann', fields: ['SIGNATURE', 'TEXT', 'DATE'] }]);
    const [ann] = await desk.signersOf(sessionId);
    const [one, two] = ann?.fields ?? [];
    const change = {
      formId,
      fieldId: one?.id,
      type: 'INITIALS',
      x: 50,
      label: 'Here',
      required: false,
      recipientId: '',
    };
    expect(await call(owner, 'updateSignatureField', change)).toEqual({
      field: { id: one?.id, type: 'INITIALS', x: 50, label: 'Here', required: false, recipient: null },
    });
    const back = { formId, fieldId: one?.id, label: '', recipientId: ann?.id };
    expect(await call(owner, 'updateSignatureField', back)).toMatchObject({
      field: { type: 'INITIALS', label: null, recipient: { id: ann?.id } },
    });
    const other = await desk.draft([{ name: 'Bob' }]);
    const [bob] = await desk.signersOf(other.sessionId);
    expect([
      await call(owner, 'updateSignatureField', { formId, fieldId: bob?.fields[0]?.id, x: 1 }),
      await call(owner, 'updateSignatureField', { formId, fieldId: one?.id, recipientId: bob?.id }),
      await call(owner, 'deleteSignatureFields', { formId, fieldIds: [two?.id, bob?.fields[0]?.id] }),
      await call(owner, 'deleteSignatureFields', { formId, fieldIds: [] }),
      await call(owner, 'deleteSignatureFields', { formId, documentId: other.documentId }),
    ]).toEqual([['NOT_FOUND'], ['NOT_FOUND'], ['NOT_FOUND'], ['BAD_USER_INPUT'], ['NOT_FOUND']]);
    expect(await call(owner, 'deleteSignatureFields', { formId, fieldIds: [two?.id, two?.id] })).toEqual({
      fieldIds: [two?.id],
    });
    expect((await call(owner, 'deleteSignatureFields', { formId })).fieldIds).toHaveLength(2);
    expect(await db.prisma.signatureField.count({ where: { formId } })).toBe(0);
  });
});

describe('signature form templates', () => {
  const newTemplate = async () => {
    const desk = await newSigningWorld();
    const { owner, project } = desk;
    const { templates } = await call(owner, 'createSignatureFormTemplates', {
      projectId: project.id,
      templates: [{ name: 'Two' }],
    });
    const templateId: string = templates[0].id;
    return { ...desk, templateId };
  };

  it('are created, listed, renamed and deleted, and forms created from them stay', async () => {
    const { owner, project, draft, templateId, db } = await newTemplate();
    const list = `query ($id: ID!) { project(id: $id) { signatureFormTemplates(first: 5, filter: { namePrefix: "t" }) { totalCount nodes { name fields(first: 5) { totalCount } } } } }`;
    expect((await owner.graph(list, { id: project.id })).data.project.signatureFormTemplates).toEqual({
      totalCount: 1,
      nodes: [{ name: 'Two', fields: { totalCount: 0 } }],
    });
    expect(await call(owner, 'updateSignatureFormTemplate', { templateId, name: 'Three' })).toEqual({
      template: { id: templateId, name: 'Three' },
    });
    const { formId } = await draft([{ name: 'Ann' }]);
    expect(
      (await call(owner, 'updateSignatureForm', { formId, templateId, lastViewedPageIndex: 2 })).form,
    ).toMatchObject({ templateId, lastViewedPageIndex: 2 });
    expect(await call(owner, 'deleteSignatureFormTemplate', { templateId })).toEqual({ templateId });
    expect(await call(owner, 'deleteSignatureFormTemplate', { templateId })).toEqual(['NOT_FOUND']);
    expect(
      (await db.prisma.signatureForm.findUniqueOrThrow({ where: { id: formId } })).templateId,
    ).toBeNull();
  });

  it('add their fields to a form, each for the first signer of its rank, or for nobody', async () => {
    const { owner, draft, signersOf, templateId, db } = await newTemplate();
    const { formId, sessionId } = await draft([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    const [ann, bob] = await signersOf(sessionId);
    const { fields } = await call(owner, 'addSignatureTemplateFields', {
      templateId,
      fields: [
        { ...PLACED, label: 'A' },
        { ...PLACED, recipientId: bob?.id },
        { ...PLACED, recipientRank: 5, widthPercent: 30 },
      ],
    });
    expect(
      fields.map(({ recipientRank, rank }: { recipientRank: number; rank: number }) => [recipientRank, rank]),
    ).toEqual([
      [1, 0],
      [2, 1],
      [5, 2],
    ]);
    expect((await call(owner, 'applySignatureFormTemplate', { formId, templateId })).form).toEqual({
      id: formId,
      templateId,
      fieldCount: 3,
    });
    const placed = await db.prisma.signatureField.findMany({ where: { formId }, orderBy: { rank: 'asc' } });
    expect(placed.map(({ recipientId, label, width }) => [recipientId, label, width])).toEqual([
      [ann?.id, 'A', null],
      [bob?.id, null, null],
      [null, null, 30],
    ]);
    const cleared = { templateId, clearExisting: true, fields: [PLACED] };
    expect((await call(owner, 'addSignatureTemplateFields', cleared)).fields).toMatchObject([{ rank: 0 }]);
    expect(await db.prisma.signatureTemplateField.count({ where: { templateId } })).toBe(1);
  });

  it('of another project, and signers of another organization, are not found', async () => {
    const { owner, ctx, organization, draft, templateId } = await newTemplate();
    const [elsewhere] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Other' }],
    });
    const [other] = await createSignatureTemplates(ctx, {
      projectId: elsewhere?.id as string,
      templates: [{ name: 'Other' }],
    });
    const { formId } = await draft([{ name: 'Ann' }]);
    const foreign = await newSigningWorld();
    const { sessionId } = await foreign.draft([{ name: 'Bob' }]);
    const [bob] = await foreign.signersOf(sessionId);
    expect([
      await call(owner, 'applySignatureFormTemplate', { formId, templateId: other?.id }),
      await call(owner, 'updateSignatureForm', { formId, templateId: other?.id }),
      await call(owner, 'updateSignatureFormTemplate', { templateId, projectId: elsewhere?.id, name: 'x' }),
      await call(owner, 'addSignatureTemplateFields', {
        templateId,
        fields: [{ ...PLACED, recipientId: bob?.id }],
      }),
      await call(foreign.owner, 'addSignatureTemplateFields', { templateId, fields: [PLACED] }),
    ]).toEqual(Array(5).fill(['NOT_FOUND']));
  });
});

describe('access to signatures', () => {
  /** Every command, with ids of this world. */
  const commands = async (desk: Desk, { documentId, formId, sessionId }: SessionIds) => {
    const [signer] = await desk.signersOf(sessionId);
    const [template] = await createSignatureTemplates(desk.ctx, {
      projectId: desk.project.id,
      templates: [{ name: 'T' }],
    });
    const templateId = template?.id;
    return {
      ids: [formId, sessionId, signer?.id, signer?.fields[0]?.id, templateId] as string[],
      all: {
        ensureSignatureForm: { documentId },
        updateSignatureForm: { formId, lastViewedPageIndex: 1 },
        addSignatureFields: { formId, fields: [PLACED] },
        updateSignatureField: { formId, fieldId: signer?.fields[0]?.id, x: 3 },
        deleteSignatureFields: { formId },
        ensureSignatureSession: { documentId },
        updateSignatureSession: { documentId, reset: true },
        stopSignatureSession: { documentId },
        renewSignatureLinks: { documentId, recipientIds: [signer?.id] },
        createSignatureFormTemplates: { projectId: desk.project.id, templates: [{ name: 'x' }] },
        updateSignatureFormTemplate: { templateId, name: 'x' },
        deleteSignatureFormTemplate: { templateId },
        addSignatureTemplateFields: { templateId, fields: [PLACED] },
        applySignatureFormTemplate: { formId, templateId },
      },
    };
  };
  const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename
    ... on SignatureSession { recipients(first: 3) { nodes { linkSecret ipAddress } } } } }`;

  it('is NOT_FOUND for strangers in every command and with every id', async () => {
    const desk = await newSigningWorld();
    const session = await desk.active([{ name: 'Ann' }]);
    const { ids, all } = await commands(desk, session);
    const before = await desk.everything(session.documentId);
    for (const [verb, input] of Object.entries(all))
      expect([verb, await call(desk.stranger, verb, input)]).toEqual([verb, ['NOT_FOUND']]);
    expect((await desk.stranger.graph(NODES, { ids })).data.nodes).toEqual(Array(5).fill(null));
    const [ann] = await desk.signersOf(session.sessionId);
    const answer = { sessionId: session.sessionId, recipientId: ann?.id };
    for (const who of [desk.stranger, desk.owner])
      expect([
        await call(who, 'signDocument', { ...answer, values: [] }),
        await call(who, 'declineSignature', answer),
        (
          await who.graph(
            `{ signing(sessionId: "${session.sessionId}", recipientId: "${ann?.id}") { state } }`,
          )
        ).errors?.[0]?.extensions.code,
      ]).toEqual([['NOT_FOUND'], ['NOT_FOUND'], 'NOT_FOUND']);
    expect(await desk.everything(session.documentId)).toEqual(before);
  });

  it('of viewers excludes links and addresses, and every change', async () => {
    const desk = await newSigningWorld();
    const session = await desk.active([{ name: 'Ann' }]);
    const viewer = await newMember(desk.db, desk.organization.id, 'MEMBER');
    await joinProject(desk.db, desk.project, viewer, 'VIEWER');
    const { ids, all } = await commands(desk, session);
    const before = await desk.everything(session.documentId);
    for (const [verb, input] of Object.entries(all))
      expect([verb, await call(viewer, verb, input)]).toEqual([verb, ['FORBIDDEN']]);
    const names = [
      'SignatureForm',
      'SignatureSession',
      'SignatureRecipient',
      'SignatureField',
      'SignatureFormTemplate',
    ];
    const { nodes } = (await viewer.graph(NODES, { ids })).data;
    expect(nodes.map((node: { __typename: string }) => node.__typename)).toEqual(names);
    expect(nodes[1].recipients.nodes).toEqual([{ linkSecret: null, ipAddress: null }]);
    expect((await desk.owner.graph(NODES, { ids })).data.nodes[1].recipients.nodes).toEqual([
      { linkSecret: expect.stringMatching(/^dgl_/), ipAddress: null },
    ]);
    expect(await desk.everything(session.documentId)).toEqual(before);
  });

  it('in a restricted project requires access to the document', async () => {
    const desk = await newSigningWorld();
    const { db, organization, project } = desk;
    const { documentId, sessionId } = await desk.draft([{ name: 'Ann' }]);
    const member = await newMember(db, organization.id, 'MEMBER');
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    await joinProject(db, project, member, 'EDITOR');
    const read = async () =>
      (await member.graph(`{ signatureSession(id: "${sessionId}") { id } }`)).data.signatureSession;
    const recent = async () =>
      (
        await member.graph(
          `{ project(id: "${project.id}") { recentSignatureForms(first: 5) { totalCount } } }`,
        )
      ).data.project.recentSignatureForms.totalCount;
    expect([
      await read(),
      await recent(),
      await call(member, 'stopSignatureSession', { documentId }),
    ]).toEqual([null, 0, ['NOT_FOUND']]);
    await db.prisma.documentAssignment.create({
      data: { organizationId: organization.id, documentId, email: member.email },
    });
    expect([
      await read(),
      await recent(),
      await call(member, 'stopSignatureSession', { documentId }),
    ]).toEqual([{ id: sessionId }, 1, ['CONFLICT']]);
  });
});

describe('the lists of signatures', () => {
  it('of recent forms contain forms with fields, last changed first, without the current one', async () => {
    const desk = await newSigningWorld();
    const { owner, project } = desk;
    const [first, second] = [await desk.draft([{ name: 'Ann' }]), await desk.draft([{ name: 'Ann' }])];
    await call(owner, 'ensureSignatureForm', { documentId: await desk.document() });
    await call(owner, 'addSignatureFields', { formId: first.formId, fields: [PLACED] });
    const list = `query ($id: ID!, $filter: RecentSignatureFormFilter) { project(id: $id) { recentSignatureForms(first: 5, filter: $filter) { totalCount nodes { id fieldCount } } } }`;
    const recent = async (filter: object) =>
      (await owner.graph(list, { id: project.id, filter })).data.project.recentSignatureForms.nodes.map(
        (node: { id: string }) => node.id,
      );
    expect(await recent({})).toEqual([first.formId, second.formId]);
    expect([await recent({ exceptId: first.formId }), await recent({ exceptId: second.documentId })]).toEqual(
      [[second.formId], [first.formId]],
    );
    expect([await recent({ namePrefix: 'CON' }), await recent({ namePrefix: 'x' })]).toEqual([
      [first.formId, second.formId],
      [],
    ]);
  });

  it('need one statement a level, for any number of sessions', async () => {
    const desk = await newSigningWorld();
    const { owner, project } = desk;
    const query = `query ($id: ID!) { project(id: $id) { documents(first: 10) { nodes { id
      signatureForm { fieldCount fields(first: 5) { nodes { type recipient { fullName } } } }
      signatureSession { state revision { number } recipients(first: 5) { nodes { rank state linkSecret } } } } } } }`;
    await desk.active([{ name: 'Ann' }, { name: 'Bob' }]);
    const few = await counted(() => owner.graph(query, { id: project.id }));
    for (let index = 0; index < 3; index++) await desk.active([{ name: 'Ann' }, { name: 'Bob' }]);
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.errors).toBeUndefined();
    expect(many.result.data.project.documents.nodes).toHaveLength(4);
    expect([...many.statements].sort()).toEqual([...few.statements].sort());
    expect(many.statements).toHaveLength(9);
  });
});
