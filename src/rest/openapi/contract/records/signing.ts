import type { Records } from '../contract.ts';

/** The records that a signer sees. */
export const signingRecords: Records = {
  shapes: {
    DocumentSignatureSessionSigningRecipientPackage: {
      about: 'A signing request, as the signer sees it.',
      members: {
        RequireAccessCode: 'boolean',
        SigningRecipient: 'DocumentSignatureSessionSigningRecipient',
        FormFieldPackage: 'DocumentSignatureSessionFormFieldPackage',
        ServerDate: 'time',
        ContentPackage: 'DocumentContentPackage',
      },
    },
    DocumentSignatureSessionSigningRecipient: {
      about: 'The signer.',
      members: {
        Email: 'string',
        FullName: 'string',
      },
    },
    DocumentSignatureSessionFormFieldPackage: {
      about: 'The fields of a signer.',
      members: {
        FormDesignType: 'string',
        QuickDesignPlaceInitials: 'boolean',
        QuickDesignPlaceFullName: 'boolean',
        QuickDesignPlaceEmail: 'boolean',
        QuickDesignPlaceTitle: 'boolean',
        FormFields: 'DocumentSignatureSessionRecipientFormField[]',
        CompletedFormFields: 'DocumentSignatureSessionRecipientFormField[]',
      },
    },
    DocumentSignatureSessionRecipientFormField: {
      about: 'A field that a signer fills in.',
      members: {
        ID: 'string',
        DocumentSignatureFormFieldID: 'string',
        DocumentSignatureSessionRecipientID: 'string',
        DocumentSignatureSessionRecipientRank: 'integer',
        IsComplete: 'boolean',
        Type: 'string',
        PageIndex: 'integer',
        X: 'number',
        Y: 'number',
        Value: 'string',
        PlacementRank: 'integer',
      },
      example: { ID: 'sfd_01k9g1vsvkwk5r5vxe0s6jcdg5', Type: 'Signature' },
    },
  },
  meanings: {
    RequireAccessCode: ['Whether the access code is still required; the fields are hidden until then.'],
    SigningRecipient: ['The signer.'],
    FormFieldPackage: ['The fields to fill in.'],
    ServerDate: ['The time of the response.', '2031-03-04T09:15:27.402Z'],
    ContentPackage: ['Where to download the document.'],
    FormFields: ['The fields that are still open.'],
    CompletedFormFields: ['The fields that have been filled in.'],
    DocumentSignatureFormFieldID: [
      'The id of the field of the signature form.',
      'sfd_01k9g1vsvkwk5r5vxe0s6jcdg5',
    ],
    DocumentSignatureSessionRecipientRank: ['The rank of the signer.', 1],
    PlacementRank: ['Its position in the order.', 1],
  },
};
