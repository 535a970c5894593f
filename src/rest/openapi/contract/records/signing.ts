import type { Records } from '../contract.ts';

/** The records that a signer sees. */
export const signingRecords: Records = {
  shapes: {
    DocumentSignatureSessionSigningRecipientPackage: {
      about: 'What a signer sees.',
      members: {
        RequireAccessCode: 'boolean',
        SigningRecipient: 'DocumentSignatureSessionSigningRecipient',
        FormFieldPackage: 'DocumentSignatureSessionFormFieldPackage',
        ServerDate: 'time',
        ContentPackage: 'DocumentContentPackage',
      },
    },
    DocumentSignatureSessionSigningRecipient: {
      about: 'A signer, as they see themselves.',
      members: {
        Email: 'string',
        FullName: 'string',
      },
    },
    DocumentSignatureSessionFormFieldPackage: {
      about: 'What a signer fills in.',
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
    RequireAccessCode: ['Whether the code is still missing: the fields are then held back.'],
    SigningRecipient: ['The signer.'],
    FormFieldPackage: ['The fields to fill in.'],
    ServerDate: ['The time of this answer.', '2031-03-04T09:15:27.402Z'],
    ContentPackage: ['Where the document is fetched.'],
    FormFields: ['The fields that are still open.'],
    CompletedFormFields: ['The fields that are filled in.'],
    DocumentSignatureFormFieldID: ['The field of the signature form.', 'sfd_01k9g1vsvkwk5r5vxe0s6jcdg5'],
    DocumentSignatureSessionRecipientRank: ['The rank of the signer.', 1],
    PlacementRank: ['Its place in the order.', 1],
  },
};
