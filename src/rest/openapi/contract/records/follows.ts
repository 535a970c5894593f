import type { Records } from '../contract.ts';

/** The records of what the caller follows. */
export const followRecords: Records = {
  shapes: {
    DocumentSubscriptionForClient: {
      about: 'Whether the caller follows a document.',
      members: {
        ID: 'string',
        Subscribed: 'boolean',
        Notify: 'boolean',
        CreatedOn: 'time When the caller began to follow it; the zero time otherwise.',
        OrganizationID: 'string',
        ProjectID: 'string',
        ProjectName: 'string',
        ProjectAccessType: 'string',
        DocumentID: 'string',
        DocumentCreatedOn: 'time',
        DocumentName: 'string',
        DocumentPageCount: 'integer',
        DocumentFileSize: 'integer',
        DocumentPreviewMetadata: '{string}[]?',
        DocumentIsSigned: 'boolean',
        DocumentThumbnailUrl: 'string',
      },
    },
  },
  meanings: {
    Subscribed: ['Whether the caller follows the document.'],
    Notify: ['Whether the caller is notified of what happens to it: as Subscribed.'],
    DocumentIsSigned: ['Whether everyone has signed the document.'],
    DocumentThumbnailUrl: ['The address of a preview image; empty for none.'],
  },
};
