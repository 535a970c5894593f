import { newComments } from '../../../comments/input.ts';
import { packageChange, packageField } from '../../../document-packages/input.ts';
import { documentChange, documentMove } from '../../../documents/input.ts';
import { followChange } from '../../../follows/input.ts';
import { idList } from '../../../shape/ids.ts';
import { shapesOf } from '../../../shape/shape.ts';
import { uploadedFile } from '../../../uploads/input.ts';
import type { Area } from '../contract.ts';

const NEWEST_FIRST = 'boolean Newest first (default); false for oldest first.';

export const documentArea: Area = {
  title: 'Documents',
  about: 'Files with a name, a folder, revisions and comments.',
  inputs: shapesOf([
    uploadedFile,
    documentChange,
    packageChange,
    followChange,
    packageField,
    idList,
    documentMove,
    newComments,
  ]),
  operations: {
    listDocuments: {
      summary: 'List the documents of a project',
      details: 'The documents of one folder, newest first.',
      query: {
        showAll: 'boolean Also the documents of folders below it, at any depth.',
        documentFolderId: 'string The id of the folder; the root of the project by default.',
        documentGroupId: 'string Only the documents of this form submission.',
        recycleBin: 'boolean The documents in the recycle bin instead.',
        unsigned: 'boolean Only documents that are not signed (IsSigned); with false, only signed ones.',
        hasSinglePageImages:
          'boolean Only documents with pictures of their pages (HasSinglePageImages); with false, only others.',
        documentOriginType:
          'string Only documents of this Origin: `UserUpload`, `FormSubmission` or `Signature`.',
        sortType: 'string `CreatedOn` (the default), `ModifiedOn`, `Name`, `FileSize` or `RecycledOn`.',
        sortDescending: 'boolean The greatest first; the default for everything but names.',
      },
      answer: { key: 'Documents', of: 'Document' },
    },
    listRecycleBinDocuments: {
      summary: 'List the documents in the recycle bin of a project',
      details: 'Those of all its folders; the one that was moved there last comes first.',
      answer: { key: 'Documents', of: 'Document' },
    },
    listViewerDocuments: {
      summary: 'List the documents that the caller can see',
      details: 'Documents of all organizations of the caller. This path is outside /api/v1.',
      answer: { key: 'Documents', of: 'Document' },
    },
    reserveDocumentUpload: {
      summary: 'Reserve an upload',
      details:
        'Next, send the file to SignedUrl with PUT, and confirm it with `PUT documentUploads`. In parts: PUT SignedUrl with the header `x-goog-resumable: start`, then PUT each part with `Content-Range: bytes FROM-TO/SIZE` to the `Location` of the answer. Each is answered with 308 and the stored `Range`, the last one with 200. After a break, an empty PUT with `Content-Range: bytes */SIZE` asks what is stored; DELETE discards it. This GET creates a reservation, so it requires the scope `documents:write`.',
      query: {
        originalFilename:
          'string The OriginalFilename with which the file will be confirmed: one that would be refused then is refused now, before any bytes are sent.',
      },
      answer: 'DocumentUpload',
    },
    confirmDocumentUploads: {
      summary: 'Create documents from uploaded files',
      details: 'Confirming a reservation again returns the same document.',
      query: {
        uniqueId: 'string! The UniqueId of one of the files.',
        captureOriginal: 'boolean Accepted and ignored.',
        skipOCR: 'boolean Accepted and ignored.',
      },
      body: 'UploadedFile[]',
      answer: 'Document[]',
    },
    getDocument: { summary: 'Get a document', answer: 'Document' },
    listDocumentSubscriptions: {
      summary: 'List the documents that the caller follows in an organization',
      answer: { key: 'DocumentSubscriptions', of: 'DocumentSubscriptionForClient' },
    },
    listRecentlyAccessedDocuments: {
      summary: 'List the documents that the caller opened last',
      details:
        'Newest first: the last 100 of the organization that the caller still sees and that are not recycled. Nobody else sees them. Reading a content package opens a document, again after a minute.',
      answer: { key: 'RecentlyAccessedDocuments', of: 'RecentlyAccessedDocument' },
    },
    listProjectDocumentSubscriptions: {
      summary: 'List the documents of a project that the caller follows',
      answer: {
        key: 'DocumentSubscriptions',
        of: 'DocumentSubscription',
        name: 'ProjectDocumentSubscriptionsPage',
      },
    },
    getDocumentSubscription: {
      summary: 'Get whether the caller follows a document',
      answer: 'DocumentSubscriptionForClient',
    },
    saveDocumentSubscription: {
      summary: 'Follow a document, or end that',
      details: 'Not in the original API, which changes this with the document package. Requires no role.',
      body: 'SubscriptionInput',
      answer: 'DocumentSubscriptionForClient',
    },
    getDocumentPackage: {
      summary: 'Get a document with its fields',
      details: 'With the pending approval, and whether the caller follows the document.',
      answer: 'DocumentPackage',
    },
    saveDocumentPackage: {
      summary: 'Save a document with its field values',
      details:
        'All of it is saved, or nothing. Values that are sent back as they were are not checked again.',
      body: 'PackageInput',
      answer: 'DocumentPackage',
    },
    updateDocument: { summary: 'Update a document', body: 'DocumentPart', answer: 'DocumentForClient' },
    listDocumentRevisions: {
      summary: 'List the revisions of a document',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentRevisions', of: 'DocumentRevision' },
    },
    listDocumentEvents: {
      summary: 'List the events of a document',
      details: 'Comments are events too.',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentEvents', of: 'DocumentEvent', events: true },
    },
    listDocumentComments: {
      summary: 'List the comments on a document',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentEvents', of: 'DocumentEvent', events: true },
    },
    listProjectComments: {
      summary: 'List the comments on the documents and tasks of a project',
      details: 'Those on documents and tasks that the caller can see.',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'ProjectEvents', of: 'ProjectEvent', events: true },
    },
    createDocumentComments: { summary: 'Comment on a document', body: 'Comments', answer: 'DocumentEvent[]' },
    setDocumentFolder: { summary: 'Move documents to a folder', body: 'DocumentMove', answer: 'Document[]' },
    sendToRecycleBin: { summary: 'Move documents to the recycle bin', body: 'IDs', answer: 'Document[]' },
    restoreFromRecycleBin: {
      summary: 'Restore documents from the recycle bin',
      body: 'IDs',
      answer: 'Document[]',
    },
    getDocumentContentPackage: {
      summary: 'Get a URL of the file',
      query: {
        displayInline: 'boolean For display in a browser instead of a download.',
        preview: 'boolean Accepted and ignored.',
        singlePage: 'boolean Accepted and ignored.',
        requireSinglePage: 'boolean Accepted and ignored.',
        pageIndex: 'integer Accepted and ignored.',
      },
      answer: 'DocumentContentPackage',
    },
    getDocumentThumbnail: {
      summary: 'Get the URL of a preview image',
      textAnswer: [
        'text/plain',
        'The URL as plain text; empty if there is no image yet.',
        'https://docgraph.example.com/files/thumbnail?sig=5f0c2a',
      ],
    },
    getDocumentEvidence: {
      summary: 'Get the evidence of a sealed document',
      details:
        'Content is the text of a JSON file. Save it unchanged: the command check-evidence verifies it against the sealed PDF without the server. 404 if the document is not sealed.',
      answer: 'DocumentEvidence',
    },
    countDocuments: {
      summary: 'Count the documents of a project',
      query: {
        ignoreInbox: 'boolean Accepted and ignored: there is no inbox.',
        ignoreRecycleBin: 'boolean Without the documents in the recycle bin.',
      },
      answer: 'integer',
    },
    countPages: { summary: 'Count the pages of the documents of a project', answer: 'integer' },
    countRecycleBinDocuments: { summary: 'Count the documents in the recycle bin', answer: 'integer' },
  },
};
