import type { Records } from '../contract.ts';

/** The records of what the caller opened last. */
export const openedDocumentRecords: Records = {
  shapes: {
    RecentlyAccessedDocument: {
      about: 'When the caller opened a document last.',
      members: {
        ID: 'string',
        UniqueID: 'string Always empty: documents have no public link.',
        OrganizationID: 'string',
        OrganizationMemberID: 'string',
        ProjectID: 'string',
        ProjectName: 'string',
        DocumentID: 'string',
        DocumentName: 'string',
        AccessedOn: 'time',
      },
    },
  },
  meanings: {
    AccessedOn: ['When the caller opened it last, to the minute.'],
  },
};
