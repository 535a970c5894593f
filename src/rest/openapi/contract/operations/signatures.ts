import type { Area, Shape } from '../contract.ts';

const place: Shape['members'] = {
  Type: 'string `Signature`, as it is when left out, `Initials`, `FullName`, `Email`, `Title`, `Date` or `Text`.',
  PageIndex: 'integer',
  X: 'number',
  Y: 'number',
  DocumentSignatureSessionRecipientID: 'string The signer, or the rank of the signer.',
};

export const signatureArea: Area = {
  title: 'E-signatures',
  about: 'The signature form of a document says who fills in what; its session asks the signers, by rank.',
  inputs: {
    SignatureFieldInput: {
      about: 'A place to sign, or to fill in.',
      members: place,
      example: { Type: 'Signature', PageIndex: 0, X: 12.5, Y: 40.25 },
    },
    SignatureFormPart: {
      about: 'What changes of a signature form.',
      members: { SignatureFormTemplateID: 'string', LastViewedPageIndex: 'integer' },
      example: { LastViewedPageIndex: 2 },
    },
    SignatureFieldIDs: {
      about: 'Fields to delete; all of the form when it is left out.',
      members: { IDs: 'string[] The ids of the fields.' },
    },
    SignatureTemplateInput: {
      about: 'A signature form to copy from.',
      members: { Name: 'string!' },
      example: { Name: 'Two signers' },
    },
    SignatureTemplateFieldInput: {
      about: 'A field of such a template.',
      members: { ...place, Label: 'string', WidthPercent: 'number', SortRank: 'integer' },
      example: { Type: 'Signature', DocumentSignatureSessionRecipientID: '1' },
    },
    SignerInput: {
      about: 'A signer.',
      members: {
        ID: 'string',
        Rank: 'integer Their turn; those of one rank sign in any order.',
        Email: 'string!',
        FullName: 'string',
      },
      example: { Rank: 1, Email: 'ines.kallio@example.test', FullName: 'Ines Kallio' },
    },
    SignatureSessionInput: {
      about: 'The options of a session.',
      members: {
        ID: 'string',
        FormDesignType: 'string',
        UseAccessCode: 'boolean',
        AccessCode: 'string',
        UseCustomSubjectAndBody: 'boolean',
        CustomSubject: 'string',
        CustomBody: 'string',
        QuickDesignPlaceInitials: 'boolean',
        QuickDesignPlaceFullName: 'boolean',
        QuickDesignPlaceEmail: 'boolean',
        QuickDesignPlaceTitle: 'boolean',
        WasStopped: 'boolean Sent as true, it stops the session.',
      },
    },
    SignaturePackageInput: {
      about: 'A session and its signers.',
      members: {
        Session: 'SignatureSessionInput',
        Recipients: 'SignerInput[]',
        BeginSession: 'boolean',
        ResetSession: 'boolean',
      },
      example: { Recipients: [{ Rank: 1, Email: 'ines.kallio@example.test' }], BeginSession: true },
    },
    SignedField: {
      about: 'What a signer fills in.',
      members: { DocumentSignatureFormFieldID: 'string', ID: 'string', Value: 'string' },
      example: { ID: 'sfd_01k9czhv7gqyd0yj0yk8wz1hm6', Value: 'Ines Kallio' },
    },
  },
  operations: {
    getSignatureForm: {
      summary: 'Get the signature form of a document',
      creates: true,
      details: 'It is made when there is none, for which the scope `write` is needed.',
      answer: 'DocumentSignatureForm',
    },
    getOneSignatureForm: { summary: 'Get a signature form', answer: 'DocumentSignatureForm' },
    updateSignatureForm: {
      summary: 'Update a signature form',
      body: 'SignatureFormPart',
      answer: 'DocumentSignatureForm',
    },
    listSignatureFormFields: {
      summary: 'List the fields of a signature form',
      answer: 'DocumentSignatureFormField[]',
    },
    addSignatureFormFields: {
      summary: 'Add fields to a signature form',
      query: { clearExisting: 'boolean Whether the fields it has go first.' },
      body: 'SignatureFieldInput[]',
      answer: 'DocumentSignatureFormField[]',
    },
    deleteSignatureFormFields: { summary: 'Delete fields of a signature form', body: 'SignatureFieldIDs?' },
    updateSignatureFormField: {
      summary: 'Update a field of a signature form',
      query: { clearExisting: 'boolean Accepted, and not read.' },
      body: 'SignatureFieldInput',
      answer: 'DocumentSignatureFormField',
    },
    deleteSignatureFormField: { summary: 'Delete a field of a signature form' },
    listRecentSignatureForms: {
      summary: 'List recent signature forms to copy from',
      query: {
        nameFilter: 'string Only of documents whose name begins with this.',
        excludingId: 'string Not this form.',
      },
      answer: 'DocumentSignatureForm[]',
    },
    getSignatureSessionPackage: {
      summary: 'Get the signing session of a document',
      creates: true,
      details: 'It is made when there is none, for which the scope `write` is needed.',
      answer: 'DocumentSignatureSessionPackage',
    },
    saveSignatureSessionPackages: {
      summary: 'Save, begin, stop or reset the signing session of a document',
      body: 'SignaturePackageInput[]',
      answer: 'DocumentSignatureSessionPackage[]',
    },
    listSignatureFormTemplates: {
      summary: 'List signature form templates',
      answer: 'SignatureFormTemplate[]',
    },
    createSignatureFormTemplates: {
      summary: 'Create signature form templates',
      body: 'SignatureTemplateInput[]',
      answer: 'SignatureFormTemplate[]',
    },
    updateSignatureFormTemplate: {
      summary: 'Rename a signature form template',
      body: 'SignatureTemplateInput',
      answer: 'SignatureFormTemplate',
    },
    deleteSignatureFormTemplate: { summary: 'Delete a signature form template' },
    listSignatureFormTemplateFields: {
      summary: 'List the fields of a signature form template',
      answer: 'SignatureFormTemplateField[]',
    },
    addSignatureFormTemplateFields: {
      summary: 'Add fields to a signature form template',
      query: { clearExisting: 'boolean Whether the fields it has go first.' },
      body: 'SignatureTemplateFieldInput[]',
      answer: 'SignatureFormTemplateField[]',
    },
    openSigning: {
      summary: 'Open a signing request',
      query: {
        uniqueId: 'string The secret of the signer’s link. It takes the place of a credential.',
        accessCode: 'string The code, where one is asked for.',
        skipFormFieldPackage: 'boolean Whether the fields are left out.',
        pageIndex: 'integer The page of ContentPackage.',
      },
      answer: 'DocumentSignatureSessionSigningRecipientPackage',
    },
    signDocument: {
      summary: 'Sign',
      query: {
        uniqueId: 'string The secret of the signer’s link. It takes the place of a credential.',
        accessCode: 'string The code, where one is asked for.',
      },
      body: 'SignedField[]',
    },
  },
};
