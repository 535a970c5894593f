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
    DocumentSubscription: {
      about: 'The caller follows a document.',
      members: {
        UserID: 'string',
        OrganizationID: 'string',
        ProjectID: 'string',
        DocumentID: 'string',
        CreatedOn: 'time When the caller began to follow it.',
        ModifiedOn: 'time Always the zero time.',
      },
    },
    TaskSubscription: {
      about: 'The caller follows a task.',
      members: {
        UserID: 'string',
        OrganizationID: 'string',
        ProjectID: 'string',
        TaskID: 'string',
        CreatedOn: 'time When the caller began to follow it.',
        ModifiedOn: 'time Always the zero time.',
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
