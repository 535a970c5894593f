import type { Shape } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const fieldMembers: Shape['members'] = {
  Type: 'string `Signature` (default), `Initials`, `FullName`, `Email`, `Title`, `Date` or `Text`.',
  PageIndex: 'integer',
  X: 'number',
  Y: 'number',
  DocumentSignatureSessionRecipientID: 'string The signer, or the rank of the signer.',
};

export const signatureArea: Area = {
  title: 'E-signatures',
  about:
    'The signature form of a document defines the fields that signers fill in. A signing session requests the signatures, in order of rank.',
  inputs: {
    SignatureFieldInput: {
      about: 'A field to sign or to fill in.',
      members: fieldMembers,
      example: { Type: 'Signature', PageIndex: 0, X: 12.5, Y: 40.25 },
    },
    SignatureFormPart: {
      about: 'Changes of a signature form.',
      members: { SignatureFormTemplateID: 'string', LastViewedPageIndex: 'integer' },
      example: { LastViewedPageIndex: 2 },
    },
    SignatureFieldIDs: {
      about: 'The fields to delete; all fields of the form by default.',
      members: { IDs: 'string[] The ids of the fields.' },
    },
    SignatureTemplateInput: {
      about: 'A template for signature forms.',
      members: { Name: 'string!' },
      example: { Name: 'Two signers' },
    },
    SignatureTemplateFieldInput: {
      about: 'A field of a signature form template.',
      members: { ...fieldMembers, Label: 'string', WidthPercent: 'number', SortRank: 'integer' },
      example: { Type: 'Signature', DocumentSignatureSessionRecipientID: '1' },
    },
    SignerInput: {
      about: 'A signer.',
      members: {
        ID: 'string',
        Rank: 'integer The signing order; signers of equal rank sign in any order.',
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
        WasStopped: 'boolean True stops the session.',
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
      about: 'The value of a field that the signer fills in.',
      members: { DocumentSignatureFormFieldID: 'string', ID: 'string', Value: 'string' },
      example: { ID: 'sfd_01k9g1vsvkwk5r5vxe0s6jcdg5', Value: 'Ines Kallio' },
    },
  },
  operations: {
    getSignatureForm: {
      summary: 'Get the signature form of a document',
      creates: true,
      details:
        'Creates it if there is none. A caller who may only read gets a record without ID, and nothing is created.',
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
      query: { clearExisting: 'boolean Whether existing fields are deleted first.' },
      body: 'SignatureFieldInput[]',
      answer: 'DocumentSignatureFormField[]',
    },
    deleteSignatureFormFields: { summary: 'Delete fields of a signature form', body: 'SignatureFieldIDs?' },
    updateSignatureFormField: {
      summary: 'Update a field of a signature form',
      query: { clearExisting: 'boolean Accepted and ignored.' },
      body: 'SignatureFieldInput',
      answer: 'DocumentSignatureFormField',
    },
    deleteSignatureFormField: { summary: 'Delete a field of a signature form' },
    listRecentSignatureForms: {
      summary: 'List recent signature forms as templates',
      query: {
        nameFilter: 'string Only forms of documents whose name starts with this text.',
        excludingId: 'string A form to leave out.',
        cursor: 'string The ID of the last form of the previous page.',
      },
      answer: 'DocumentSignatureForm[]',
    },
    getSignatureSessionPackage: {
      summary: 'Get the signing session of a document',
      creates: true,
      details:
        'Creates it if there is none. A caller who may only read gets a record without ID, and nothing is created.',
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
      query: { clearExisting: 'boolean Whether existing fields are deleted first.' },
      body: 'SignatureTemplateFieldInput[]',
      answer: 'SignatureFormTemplateField[]',
    },
    openSigning: {
      summary: 'Open a signing request',
      query: {
        uniqueId: 'string The secret of the signer’s link, instead of a credential.',
        accessCode: 'string The access code, if one is required.',
        skipFormFieldPackage: 'boolean Whether the fields are left out.',
        pageIndex: 'integer The page of ContentPackage.',
      },
      answer: 'DocumentSignatureSessionSigningRecipientPackage',
    },
    signDocument: {
      summary: 'Sign a document',
      query: {
        uniqueId: 'string The secret of the signer’s link, instead of a credential.',
        accessCode: 'string The access code, if one is required.',
        timeZone:
          'string The time zone of the signer (IANA name), in which the day is written into dates that are left empty; an addition of ours.',
      },
      body: 'SignedField[]',
    },
  },
};
