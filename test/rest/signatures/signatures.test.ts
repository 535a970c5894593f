import { describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { newId } from '../../../src/lib/id.ts';
import { newSigningWorld } from '../../support/signatures.ts';
import { config, joinProject, newMember } from '../../support/world.ts';

const ZERO = '0001-01-01T00:00:00Z';

async function setUp() {
  const world = await newSigningWorld();
  const { base, owner } = world;
  const packages = (documentId: string) => `${base}/documents/${documentId}/signatureSessionPackages`;
  const save = (documentId: string, ...body: object[]) => owner.rest('PUT', packages(documentId), body);
  const fieldsOf = (documentId: string, formId: string) =>
    `${base}/documents/${documentId}/signatureForms/${formId}/fields`;
  /** The path where a signer signs, with the secret of the package that the sender reads. */
  const signing = (
    recipient: { ID: string; DocumentSignatureSessionID: string; UniqueID: string },
    query = '',
  ) =>
    `/documentSignatureSessions/${recipient.DocumentSignatureSessionID}/signingRecipients/${recipient.ID}/fields?uniqueId=${recipient.UniqueID}${query}`;
  return { ...world, packages, save, fieldsOf, signing };
}

describe('signatures over REST v1', () => {
  it('run from the form to the signed document, with a link for each signer and without an account', async () => {
    const { owner, base, document, packages, save, fieldsOf, signing, anonymous } = await setUp();
    const documentId = await document('permit-44.pdf');
    const form = await owner.rest('GET', `${base}/documents/${documentId}/signatureForms`);
    expect(form.body).toEqual({
      ID: expect.stringMatching(/^sgf_/),
      SignatureFormTemplateID: '',
      CreatedOn: expect.stringMatching(/^20/),
      TenantID: base.split('/').at(-1),
      OrganizationID: base.split('/').at(-3),
      ProjectID: base.split('/').at(-1),
      DocumentID: documentId,
      DocumentClassificationID: '',
      DocumentClassificationName: '',
      DocumentClassificationNameLower: '',
      DocumentName: 'permit-44.pdf',
      DocumentNameLower: 'permit-44.pdf',
      HasFormFields: false,
      TotalFormFields: 0,
      LastViewedPageIndex: 0,
    });
    const opened = await owner.rest('GET', packages(documentId));
    expect([opened.body]).toMatchObject([
      {
        Session: {
          DocumentID: documentId,
          IsActive: false,
          IsComplete: false,
          WasStopped: false,
          CompletedOn: ZERO,
          FormDesignType: 'Custom',
          AccessCode: '',
        },
        Recipients: [],
        BeginSession: false,
        ResetSession: false,
      },
    ]);
    const [saved] = (
      await save(documentId, {
        ...opened.body,
        Recipients: [
          { ID: '', Rank: 2, Email: 'Second@signers.test', FullName: 'Second' },
          { Rank: 1, Email: 'ines.kallio@example.test', FullName: 'Ines Kallio', Type: 'signer' },
        ],
      })
    ).body;
    expect(saved.Recipients).toMatchObject([
      {
        Rank: 1,
        FullName: 'Ines Kallio',
        UniqueID: '',
        SigningRequestSent: false,
        RequestedOn: ZERO,
        IsActive: false,
      },
      { Rank: 2, Email: 'second@signers.test', TenantMemberID: '', Type: 'Signer' },
    ]);
    const placed = await owner.rest('POST', `${fieldsOf(documentId, form.body.ID)}?clearExisting=True`, [
      {
        ID: '',
        CreatedOn: '',
        Type: '',
        PageIndex: 0,
        DocumentSignatureSessionRecipientID: saved.Recipients[0].ID,
        X: 12.5,
        Y: 40.25,
      },
      {
        type: 'fullname',
        pageIndex: 0,
        documentSignatureSessionRecipientId: saved.Recipients[1].ID,
        x: 1,
        y: 2,
      },
    ]);
    expect(placed.body).toEqual([
      {
        ID: expect.stringMatching(/^sfd_/),
        CreatedOn: expect.stringMatching(/^20/),
        Type: 'Signature',
        PageIndex: 0,
        DocumentSignatureSessionRecipientID: saved.Recipients[0].ID,
        X: 12.5,
        Y: 40.25,
      },
      {
        ID: expect.any(String),
        CreatedOn: expect.any(String),
        Type: 'FullName',
        PageIndex: 0,
        DocumentSignatureSessionRecipientID: saved.Recipients[1].ID,
        X: 1,
        Y: 2,
      },
    ]);
    const [started] = (await save(documentId, { ...saved, BeginSession: true })).body;
    expect(started.Session).toMatchObject({ IsActive: true, IsComplete: false });
    expect(started.Recipients).toMatchObject([
      {
        UniqueID: expect.stringMatching(/^dgl_/),
        SigningRequestSent: false,
        RequestedOn: expect.stringMatching(/^20/),
        IsActive: true,
        DocumentSignatureSessionIsActive: true,
      },
      { UniqueID: '', SigningRequestSent: false, IsActive: false },
    ]);
    const listed = async () => (await owner.rest('GET', `${base}/documents`)).body.Documents[0];
    expect(await listed()).toMatchObject({ SignatureSessionIsActive: true, IsSigned: false });

    const signingPage = await anonymous('GET', signing(started.Recipients[0], '&pageIndex=3'));
    expect(signingPage.headers.get('cache-control')).toBe('private, no-store');
    expect([signingPage.status, signingPage.body]).toEqual([
      200,
      {
        RequireAccessCode: false,
        SigningRecipient: { Email: 'ines.kallio@example.test', FullName: 'Ines Kallio' },
        FormFieldPackage: {
          FormDesignType: 'Custom',
          QuickDesignPlaceInitials: false,
          QuickDesignPlaceFullName: false,
          QuickDesignPlaceEmail: false,
          QuickDesignPlaceTitle: false,
          FormFields: [
            {
              ID: placed.body[0].ID,
              DocumentSignatureFormFieldID: placed.body[0].ID,
              DocumentSignatureSessionRecipientID: started.Recipients[0].ID,
              DocumentSignatureSessionRecipientRank: 1,
              IsComplete: false,
              Type: 'Signature',
              PageIndex: 0,
              X: 12.5,
              Y: 40.25,
              Value: '',
              PlacementRank: 0,
            },
          ],
          CompletedFormFields: [],
        },
        ServerDate: expect.stringMatching(/^20.*Z$/),
        ContentPackage: {
          Url: expect.stringMatching(/^http:\/\/docgraph\.test\/downloads\//),
          ContentType: expect.any(String),
          Name: 'permit-44.pdf',
          PageIndex: 3,
          PageCount: 0,
        },
      },
    ]);
    const fields = signingPage.body.FormFieldPackage.FormFields;
    const signed = await anonymous('PUT', signing(started.Recipients[0]), [{ ...fields[0], Value: 'Ines' }]);
    expect([signed.status, signed.body]).toEqual([200, '']);
    const [, second] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    const theirs = (await anonymous('GET', signing(second))).body.FormFieldPackage;
    expect([theirs.FormFields, theirs.CompletedFormFields]).toMatchObject([
      [{ Type: 'FullName', Value: '' }],
      [
        {
          Type: 'Signature',
          Value: 'Ines',
          IsComplete: true,
          DocumentSignatureSessionRecipientID: started.Recipients[0].ID,
        },
      ],
    ]);
    const without = await anonymous('GET', signing(second, '&skipFormFieldPackage=true'));
    expect([without.body.FormFieldPackage.FormFields]).toEqual([[]]);
    expect(
      (await anonymous('PUT', signing(second), [{ ID: theirs.FormFields[0].ID, Value: 'Second Name' }]))
        .status,
    ).toBe(200);
    const completed = (await owner.rest('GET', packages(documentId))).body;
    expect([completed.Session, completed.Recipients]).toMatchObject([
      {
        IsActive: false,
        IsComplete: true,
        WasStopped: false,
        CompletedOn: expect.stringMatching(/^20/),
        IsRendered: false,
        RenderedOn: ZERO,
      },
      [
        {
          IsActive: false,
          IsComplete: true,
          CompletedOn: expect.stringMatching(/^20/),
          IPAddress: '192.0.2.7',
          DocumentSignatureSessionIsComplete: true,
        },
        { IsComplete: true },
      ],
    ]);
    expect(await listed()).toMatchObject({
      SignatureSessionIsActive: false,
      IsSigned: true,
      SignaturesCompletedOn: completed.Session.CompletedOn,
    });
  });

  it('are readable by viewers without secrets, and reading creates nothing for them', async () => {
    const { db, organization, project, base, packages, active, document } = await setUp();
    const viewer = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, viewer, 'VIEWER');
    await db.prisma.apiKey.updateMany({ where: { userId: viewer.id }, data: { scopes: ['read'] } });
    const { documentId } = await active([{ name: 'Ann' }]);
    const forms = (id: string) => `${base}/documents/${id}/signatureForms`;
    const packageRead = await viewer.rest('GET', packages(documentId));
    expect([packageRead.status, packageRead.body.Recipients]).toMatchObject([
      200,
      [{ FullName: 'Ann', UniqueID: '', IPAddress: '' }],
    ]);
    expect((await viewer.rest('GET', forms(documentId))).body.TotalFormFields).toBe(1);
    const plain = await document();
    const writer = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, writer, 'VIEWER');
    for (const reader of [viewer, writer]) {
      const empty = await reader.rest('GET', packages(plain));
      expect([empty.status, empty.body.Session.ID, empty.body.Session.DocumentID]).toEqual([200, '', plain]);
      expect(empty.body.Recipients).toEqual([]);
      const form = await reader.rest('GET', forms(plain));
      expect([form.status, form.body.ID, form.body.DocumentID]).toEqual([200, '', plain]);
    }
    expect(await db.prisma.signatureForm.count({ where: { documentId: plain } })).toBe(0);
    expect(await db.prisma.signatureSession.count({ where: { documentId: plain } })).toBe(0);
  });

  it('are stopped by WasStopped, and reset to a draft with the signers of the request', async () => {
    const { owner, packages, save, active, signing, anonymous } = await setUp();
    const { documentId } = await active([{ name: 'Ann' }, { name: 'Bob' }]);
    const running = (await owner.rest('GET', packages(documentId))).body;
    expect(
      (await save(documentId, { ...running, Session: { ...running.Session, AccessCode: '' } })).status,
    ).toBe(409);
    const [stopped] = (await save(documentId, { Session: { ...running.Session, WasStopped: true } })).body;
    expect(stopped).toMatchObject({
      Session: { IsActive: false, WasStopped: true },
      Recipients: [{ UniqueID: '', IsActive: false }, { UniqueID: '' }],
    });
    expect((await anonymous('GET', signing(running.Recipients[0]))).status).toBe(404);
    expect((await save(documentId, { ...stopped, BeginSession: true })).status).toBe(409);
    const [fresh] = (await save(documentId, { ...stopped, ResetSession: true })).body;
    expect(fresh).toMatchObject({
      Session: { IsActive: false, WasStopped: false },
      Recipients: [
        { FullName: 'Ann', Rank: 1 },
        { FullName: 'Bob', Rank: 2 },
      ],
    });
    expect(fresh.Session.ID).not.toBe(stopped.Session.ID);
    expect(fresh.Recipients[0].ID).not.toBe(stopped.Recipients[0].ID);
    expect((await save(documentId, { ...fresh, BeginSession: true })).body[0].Session.IsActive).toBe(true);
    expect((await save(documentId, { ...stopped, ResetSession: true })).status).toBe(404);
  });

  it('answer 409 to the link of a signer after their project is deleted', async () => {
    const { owner, organization, project, packages, active, signing, anonymous } = await setUp();
    const { documentId } = await active([{ name: 'Ann' }]);
    const [ann] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    expect((await anonymous('GET', signing(ann))).status).toBe(200);
    await owner.rest('DELETE', `/organizations/${organization.id}/projects`, { IDs: [project.id] });
    const { status, body } = await anonymous('GET', signing(ann));
    expect([status, body.message]).toEqual([409, expect.stringContaining('withdrew the document')]);
  });

  it('disclose nothing before the correct access code, and limit the attempts', async () => {
    const { owner, packages, active, signing, anonymous } = await setUp();
    const { documentId } = await active([{ name: 'Ann' }], { useAccessCode: true, accessCode: 'harbor-7' });
    const { Session, Recipients } = (await owner.rest('GET', packages(documentId))).body;
    expect(Session).toMatchObject({ UseAccessCode: true, AccessCode: '' });
    const [ann] = Recipients;
    const locked = await anonymous('GET', signing(ann));
    expect([locked.body]).toMatchObject([
      {
        RequireAccessCode: true,
        SigningRecipient: { FullName: 'Ann' },
        FormFieldPackage: { FormFields: [], CompletedFormFields: [] },
        ContentPackage: { Url: '', Name: '' },
      },
    ]);
    expect((await anonymous('GET', signing(ann, '&accessCode=wrong'))).status).toBe(403);
    const open = await anonymous('GET', signing(ann, '&accessCode=harbor-7'));
    expect(open.body).toMatchObject({
      RequireAccessCode: false,
      FormFieldPackage: { FormFields: [{ Type: 'Signature' }] },
    });
    for (let index = 0; index < config.limits.codeTries; index++)
      expect((await anonymous('GET', signing(ann, '&accessCode=wrong'))).status).toBe(403);
    expect((await anonymous('GET', signing(ann, '&accessCode=harbor-7'))).status).toBe(429);
    const values = [{ ...open.body.FormFieldPackage.FormFields[0], Value: 'Ann' }];
    expect((await anonymous('PUT', signing(ann, '&accessCode=harbor-7'), values)).status).toBe(429);
    expect((await anonymous('PUT', signing(ann), values)).status).toBe(200);
  });

  it('accept a signature once, from the current signer, with valid values for the fields', async () => {
    const { owner, packages, active, signing, anonymous } = await setUp();
    const { documentId } = await active([
      { name: 'Ann', rank: 1, fields: ['DATE'] },
      { name: 'Bob', rank: 1 },
    ]);
    const [ann, bob] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    const [field] = (await anonymous('GET', signing(ann))).body.FormFieldPackage.FormFields;
    const put = (body: unknown, who = ann) => anonymous('PUT', signing(who), body);
    const answers = [
      await put([{ ...field, Value: 'tomorrow' }]),
      await put([{ ...field, Value: 7 }]),
      await put([{ Value: 'x' }]),
      await put([], bob),
      await put('text'),
      await put([{ ...field, Value: '2031-03-04' }], bob),
      await put([{ ...field, Value: '2031-03-04' }]),
      await put([{ ...field, Value: '2031-03-05' }]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 200, 409]);
    expect(answers[0]?.body.message).toBe('0.Value "tomorrow": must be a date such as 2031-03-04');
  });

  it('are not found with a wrong secret, and require a bearer token without one', async () => {
    const { owner, packages, active, signing, anonymous, db, stranger } = await setUp();
    const { documentId } = await active([{ name: 'Ann' }, { name: 'Bob' }]);
    const [ann, bob] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    const wrong = [
      { ...ann, UniqueID: 'wrong' },
      { ...ann, UniqueID: ann.UniqueID.toUpperCase() },
      { ...ann, UniqueID: `${ann.UniqueID}%00` },
      { ...bob, UniqueID: ann.UniqueID },
      { ...ann, DocumentSignatureSessionID: newId('SignatureSession') },
    ];
    for (const each of wrong)
      for (const method of ['GET', 'PUT'])
        expect([
          each.UniqueID,
          (await anonymous(method, signing(each), method === 'PUT' ? [] : undefined)).status,
        ]).toEqual([each.UniqueID, 404]);
    const bare = signing({ ...ann, UniqueID: '' });
    expect([
      (await anonymous('GET', bare)).status,
      (await stranger.rest('GET', bare)).status,
      (await owner.rest('GET', bare)).status,
    ]).toEqual([401, 404, 404]);
    const elsewhere = `${packages(documentId)}?uniqueId=${ann.UniqueID}`;
    expect((await anonymous('GET', elsewhere)).status).toBe(401);
    expect((await db.prisma.signatureRecipient.findUniqueOrThrow({ where: { id: ann.ID } })).state).toBe(
      'REQUESTED',
    );
  });

  it('can be signed by a member with their account instead of the link', async () => {
    const { db, organization, owner, packages, active, signing } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    const { documentId } = await active([{ name: 'Member', email: member.email }]);
    const [mine] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    expect(mine.TenantMemberID).toMatch(/^mem_/);
    const bare = signing({ ...mine, UniqueID: '' });
    const [field] = (await member.rest('GET', bare)).body.FormFieldPackage.FormFields;
    expect((await member.rest('PUT', bare, [{ ...field, Value: 'M' }])).status).toBe(200);
    expect((await owner.rest('GET', packages(documentId))).body.Session.IsComplete).toBe(true);
  });

  it('list every field, for any number of fields', async () => {
    const { owner, base, draft, fieldsOf } = await setUp();
    const { documentId, formId } = await draft([{ name: 'Ann' }]);
    const fields = Array.from({ length: 230 }, (_, index) => ({
      Type: 'Text',
      PageIndex: 0,
      X: index,
      Y: 0,
      DocumentSignatureSessionRecipientID: '1',
    }));
    expect(
      (await owner.rest('POST', `${fieldsOf(documentId, formId)}?clearExisting=true`, fields)).status,
    ).toBe(200);
    const listed = await owner.rest('GET', fieldsOf(documentId, formId));
    expect(listed.body.map(({ X }: { X: number }) => X)).toEqual(fields.map(({ X }) => X));
    expect(
      (await owner.rest('GET', `${base}/documents/${documentId}/signatureForms/${formId}`)).body
        .TotalFormFields,
    ).toBe(230);
  });

  it('return and accept every field of a signer, for any number of fields', async () => {
    const { owner, packages, active, signing, anonymous } = await setUp();
    const { documentId } = await active([{ name: 'Ann', fields: Array(130).fill('TEXT') }], {
      useAccessCode: true,
      accessCode: 'harbor-7',
    });
    const [ann] = (await owner.rest('GET', packages(documentId))).body.Recipients;
    const { FormFields } = (await anonymous('GET', signing(ann, '&accessCode=harbor-7'))).body
      .FormFieldPackage;
    expect(new Set(FormFields.map(({ ID }: { ID: string }) => ID)).size).toBe(130);
    const values = FormFields.map((field: object, index: number) => ({ ...field, Value: `v${index}` }));
    expect((await anonymous('PUT', signing(ann), values)).status).toBe(200);
    const { CompletedFormFields } = (await anonymous('GET', signing(ann, '&accessCode=harbor-7'))).body
      .FormFieldPackage;
    expect(CompletedFormFields.map(({ Value }: { Value: string }) => Value)).toEqual(
      values.map(({ Value }: { Value: string }) => Value),
    );
  });

  it('have templates with fields, whose signers are ranks', async () => {
    const { owner, base, draft, fieldsOf } = await setUp();
    const templates = `${base}/signatureFormTemplates`;
    const templatesCreated = await owner.rest('POST', templates, [
      { ID: '', Name: 'Two signers' },
      { Name: 'One' },
    ]);
    expect(templatesCreated.body).toMatchObject([
      { Name: 'Two signers', NameLower: 'two signers' },
      { Name: 'One' },
    ]);
    expect((await owner.rest('GET', templates)).body.map(({ Name }: { Name: string }) => Name)).toEqual([
      'One',
      'Two signers',
    ]);
    const fields = `${templates}/${templatesCreated.body[0].ID}/fields`;
    const added = await owner.rest('POST', `${fields}?clearExisting=false`, [
      {
        Type: 'Date',
        PageIndex: 1,
        X: 3,
        Y: 4,
        DocumentSignatureSessionRecipientID: '2',
        Label: 'Day',
        WidthPercent: 20,
        SortRank: 9,
      },
      { Type: 'Signature', PageIndex: 0, X: 1, Y: 2, DocumentSignatureSessionRecipientID: '', SortRank: 0 },
    ]);
    expect(added.body[0]).toEqual({
      ID: expect.stringMatching(/^stf_/),
      CreatedOn: expect.stringMatching(/^20/),
      Type: 'Date',
      PageIndex: 1,
      DocumentSignatureSessionRecipientID: '2',
      X: 3,
      Y: 4,
      Label: 'Day',
      WidthPercent: 20,
      SortRank: 9,
    });
    const listed = (await owner.rest('GET', fields)).body;
    expect(listed.map(({ SortRank }: { SortRank: number }) => SortRank)).toEqual([0, 9]);
    const { documentId, formId } = await draft([{ name: 'Ann' }, { name: 'Bob' }]);
    const copied = await owner.rest('POST', `${fieldsOf(documentId, formId)}?clearExisting=true`, listed);
    expect(copied.body).toMatchObject([
      { Type: 'Signature', X: 1 },
      { Type: 'Date', X: 3 },
    ]);
    expect(
      (await owner.rest('PUT', `${templates}/${templatesCreated.body[0].ID}`, { Name: 'Both' })).status,
    ).toBe(200);
    expect((await owner.rest('DELETE', `${templates}/${templatesCreated.body[0].ID}`)).status).toBe(200);
    expect((await owner.rest('DELETE', `${templates}/${templatesCreated.body[0].ID}`)).status).toBe(404);
    expect((await owner.rest('GET', fields)).status).toBe(404);
    expect((await owner.rest('GET', templates)).body).toMatchObject([{ Name: 'One' }]);
  });

  it('list recent forms by name, without the current one', async () => {
    const { owner, base, draft } = await setUp();
    const [first, second] = [await draft([{ name: 'Ann' }]), await draft([{ name: 'Ann' }])];
    const recent = async (query: string) =>
      (await owner.rest('GET', `${base}/recentDocumentSignatureForms${query}`)).body.map(
        ({ ID }: { ID: string }) => ID,
      );
    expect(await recent('')).toEqual([second.formId, first.formId]);
    expect(await recent(`?nameFilter=CONTRACT&excludingId=${second.formId}`)).toEqual([first.formId]);
    expect(await recent('?nameFilter=x')).toEqual([]);
  });

  it('list recent forms in pages, whose cursor is the last ID, as the array has no place for another', async () => {
    const { owner, base, draft } = await setUp();
    const forms: string[] = [];
    while (forms.length < 27) forms.unshift((await draft([{ name: 'Ann' }])).formId);
    const page = (cursor: string) =>
      owner.rest('GET', `${base}/recentDocumentSignatureForms?cursor=${encodeURIComponent(cursor)}`);
    const idsOf = async (cursor: string) => (await page(cursor)).body.map(({ ID }: { ID: string }) => ID);
    const first = await idsOf('');
    expect(first).toEqual(forms.slice(0, 25));
    expect(await idsOf(first.at(-1))).toEqual(forms.slice(25));
    expect(await idsOf(forms.at(-1) as string)).toEqual([]);
    expect((await page('sgf_unknown')).status).toBe(400);
  });

  it('answer 400 with the name of the member to invalid values, and change nothing', async () => {
    const { owner, base, draft, packages, fieldsOf, everything } = await setUp();
    const { documentId, formId } = await draft([{ name: 'Ann' }]);
    const before = await everything(documentId);
    const field = { Type: 'Signature', PageIndex: 0, X: 1, Y: 2 };
    const put = (...body: unknown[]) => owner.rest('PUT', packages(documentId), body);
    const post = (...body: unknown[]) => owner.rest('POST', fieldsOf(documentId, formId), body);
    const answers = [
      await put(),
      await put({}, {}),
      await put({ Recipients: [{ FullName: 'No address' }] }),
      await put({ Recipients: [{ Email: 'a@b.test', Type: 'Witness' }] }),
      await put({ Session: { FormDesignType: 'Fancy' } }),
      await put({ Session: { UseAccessCode: true, AccessCode: '' } }),
      await put({ BeginSession: 'perhaps' }),
      await post(),
      await post({ ...field, Type: 'Stamp' }),
      await post({ ...field, X: '1' }),
      await post({ ...field, PageIndex: 1.5 }),
      await owner.rest('PUT', `${base}/documents/${documentId}/signatureForms/${formId}`, {
        LastViewedPageIndex: -1,
      }),
      await owner.rest('POST', `${base}/signatureFormTemplates`, [{ Name: '' }]),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.message}`)).toEqual([
      '400 The body must be an array of one package.',
      '400 The body must be an array of one package.',
      '400 0.Recipients.0.Email must be given, as a string.',
      '400 0.Recipients.0.Type "Witness": must be one of Signer.',
      '400 0.Session.FormDesignType "Fancy": must be one of Custom, Quick.',
      '400 0.Session.AccessCode: must be given where a code is asked for',
      '400 0.BeginSession "perhaps" must be true or false.',
      '400 The body: must not be empty',
      '400 0.Type "Stamp": must be one of Signature, Initials, FullName, Email, Title, Date, Text.',
      '400 0.X "1" must be a number.',
      '400 0.PageIndex 1.5 must be a whole number.',
      expect.stringMatching(/^400 LastViewedPageIndex -1: /),
      '400 0.Name "": must not be empty',
    ]);
    expect(await everything(documentId)).toEqual(before);
  });

  it('answer 409 once signing has begun, and in the recycle bin', async () => {
    const { owner, ctx, base, active, fieldsOf, packages, document } = await setUp();
    const { documentId, formId } = await active([{ name: 'Ann' }]);
    const [{ ID }] = (await owner.rest('GET', fieldsOf(documentId, formId))).body;
    const changes = () => [
      owner.rest('POST', fieldsOf(documentId, formId), [{ Type: 'Text' }]),
      owner.rest('DELETE', fieldsOf(documentId, formId)),
      owner.rest('PUT', `${fieldsOf(documentId, formId)}/${ID}`, { X: 1 }),
      owner.rest('DELETE', `${fieldsOf(documentId, formId)}/${ID}`),
      owner.rest('PUT', packages(documentId), [{ BeginSession: true }]),
    ];
    const statuses = async () => (await Promise.all(changes())).map(({ status }) => status);
    expect(await statuses()).toEqual(Array(5).fill(409));
    const plain = await document();
    await recycleDocuments(ctx, { documentIds: [documentId, plain] });
    expect(await statuses()).toEqual(Array(5).fill(409));
    const refused = [
      await owner.rest('GET', packages(plain)),
      await owner.rest('GET', `${base}/documents/${plain}/signatureForms`),
      await owner.rest('PUT', `${base}/documents/${documentId}/signatureForms/${formId}`, {}),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
  });

  it('answer 404 to a form under another document', async () => {
    const { owner, base, draft } = await setUp();
    const [first, second] = [await draft([{ name: 'Ann' }]), await draft([{ name: 'Ann' }])];
    const crossed = `${base}/documents/${first.documentId}/signatureForms/${second.formId}`;
    const answers = [
      await owner.rest('GET', crossed),
      await owner.rest('PUT', crossed, {}),
      await owner.rest('GET', `${crossed}/fields`),
      await owner.rest('POST', `${crossed}/fields`, [{ Type: 'Text' }]),
      await owner.rest('DELETE', `${crossed}/fields`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(404));
  });
});
