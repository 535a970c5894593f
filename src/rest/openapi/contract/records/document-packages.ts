import type { Records } from '../contract.ts';

/** The records of documents with their fields. */
export const documentPackageRecords: Records = {
  shapes: {
    DocumentPackage: {
      about: 'A document with its fields, its pending approval and whether the caller follows it.',
      members: {
        ProjectMember: 'ProjectMember',
        ProjectAccessType: 'string',
        Document: 'Document',
        DocumentSubscription: 'DocumentSubscriptionForClient',
        Approval: 'Approval?',
        Fields: 'DocumentPackageField[]',
      },
      example: { Approval: null },
    },
    DocumentPackageField: {
      about: 'A field of the project, with the values of the document.',
      members: {
        FieldID: 'string',
        FieldRank: 'integer',
        ParentFieldID: 'string',
        Name: 'string',
        LabelOrName: 'string',
        Type: 'string',
        DisplaySelectionList: 'boolean',
        AllowMultipleLines: 'boolean',
        Rows: 'integer',
        AllowMultipleValues: 'boolean',
        AllowNewSelectionListItems: 'boolean',
        SaveNewSelectionListItems: 'boolean',
        DecimalPlaces: 'integer',
        Mask: 'string',
        Required: 'boolean',
        Value: 'string The first value.',
        Values: 'string All values as a JSON array; empty for a field of one value.',
        UseCreationDate: 'boolean',
        TextMatchType: 'string',
      },
      example: { Name: 'Permit', Type: 'FieldType_Text', Value: 'P-2031-44', Values: '' },
    },
  },
  meanings: {
    ProjectMember: ['The caller in the project; without ID if they take part without having been added.'],
    Document: ['The document.'],
    DocumentSubscription: ['Whether the caller follows the document.'],
    Approval: ['The approval that is pending; null for none.'],
    Fields: ['The fields that documents of the project carry, in their order.'],
    FieldRank: ['Its position among them, counted from 0.', 1],
  },
};
