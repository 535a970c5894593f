import type { Area } from '../contract.ts';

const NEWEST_FIRST = 'boolean Newest first, unless it is false.';

export const documentArea: Area = {
  title: 'Documents',
  about: 'Files with a name, revisions, comments and a place in a folder.',
  inputs: {
    UploadedFile: {
      about: 'A reservation whose bytes are there, as it came, with what the document shall be.',
      members: {
        SignedUrl: 'string Sent back as it came, and not read.',
        ObjectName: 'string Sent back as it came, and not read.',
        UniqueId: 'string The reservation; the one in the query when it is left out.',
        OriginalFilename: 'string! The name of the file, and so of the document.',
        OriginalFileSize: 'integer The size in bytes; it has to be that of what arrived.',
        DocumentFolderID: 'string',
        FieldIDsAndValues: '{string[]}',
        Tags: 'string[]',
      },
      example: {
        UniqueId: 'upl_01k9w53q7pzjx2dgxd2bxeqqh3',
        OriginalFilename: 'permit-44.pdf',
        OriginalFileSize: 48213,
        Tags: ['permit'],
      },
    },
    DocumentPart: {
      about: 'What changes of a document; what is left out stays as it is.',
      members: { ID: 'string The id in the path.', Name: 'string', AssignmentUserEmails: 'string[]' },
      example: { Name: 'permit-44 final.pdf' },
    },
    IDs: {
      about: 'Ids. All of them change, or none does.',
      members: { IDs: 'string[]! The ids.' },
      example: { IDs: ['doc_01k9nztfxdmdms8g8s6whatht9'] },
    },
    DocumentMove: {
      about: 'Documents, and where they go.',
      members: { IDs: 'string[]! The ids of the documents.', DocumentFolderID: 'string' },
      example: {
        IDs: ['doc_01k9nztfxdmdms8g8s6whatht9'],
        DocumentFolderID: 'fld_01k9g6qdc9hw1xwtzcn4yq5kdb',
      },
    },
    Comments: {
      about: 'What somebody says.',
      members: { Comments: 'string[]! The texts.' },
      example: { Comments: ['Please check page two.'] },
    },
  },
  operations: {
    listDocuments: {
      summary: 'List the documents of a project',
      details: 'One level of the folders; newest first.',
      query: {
        showAll: 'boolean At any depth below the folder, or the project.',
        documentFolderId: 'string The folder; the root when it is left out.',
        documentGroupId: 'string Only the documents of this form submission.',
        recycleBin: 'boolean What is in the recycle bin.',
      },
      answer: { key: 'Documents', of: 'Document' },
    },
    listViewerDocuments: {
      summary: 'List the documents that the user sees',
      details:
        'In all organizations that the credential is good for. This path stands beside the authorization server, not below /api/v1.',
      answer: { key: 'Documents', of: 'Document' },
    },
    reserveDocumentUpload: {
      summary: 'Reserve an upload',
      details:
        'The bytes then go to SignedUrl by PUT, whole or in pieces, and documentUploads is called by PUT. It makes something although it is a GET, so it needs the scope `write`.',
      answer: 'DocumentUpload',
    },
    confirmDocumentUploads: {
      summary: 'Make documents of uploaded files',
      details: 'A second confirm of the same reservation answers the same document.',
      query: {
        uniqueId: 'string! The UniqueId of one of the files.',
        captureOriginal: 'boolean Accepted, and not read.',
        skipOCR: 'boolean Accepted, and not read.',
      },
      body: 'UploadedFile[]',
      answer: 'Document[]',
    },
    updateDocument: { summary: 'Update a document', body: 'DocumentPart', answer: 'DocumentForClient' },
    listDocumentRevisions: {
      summary: 'List the revisions of a document',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentRevisions', of: 'DocumentRevision' },
    },
    listDocumentEvents: {
      summary: 'List what happened to a document',
      details: 'Comments are among it.',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentEvents', of: 'DocumentEvent', events: true },
    },
    listDocumentComments: {
      summary: 'List the comments on a document',
      query: { sortDescending: NEWEST_FIRST },
      answer: { key: 'DocumentEvents', of: 'DocumentEvent', events: true },
    },
    createDocumentComments: { summary: 'Comment on a document', body: 'Comments', answer: 'DocumentEvent[]' },
    setDocumentFolder: { summary: 'Move documents to a folder', body: 'DocumentMove', answer: 'Document[]' },
    sendToRecycleBin: { summary: 'Put documents into the recycle bin', body: 'IDs', answer: 'Document[]' },
    restoreFromRecycleBin: {
      summary: 'Take documents out of the recycle bin',
      body: 'IDs',
      answer: 'Document[]',
    },
    getDocumentContentPackage: {
      summary: 'Get an address of the file',
      query: {
        displayInline: 'boolean For showing it, not for saving it.',
        preview: 'boolean Accepted, and not read.',
        singlePage: 'boolean Accepted, and not read.',
        requireSinglePage: 'boolean Accepted, and not read.',
        pageIndex: 'integer Accepted, and not read.',
      },
      answer: 'DocumentContentPackage',
    },
    getDocumentEvidence: {
      summary: 'Get the evidence of a sealed document',
      details:
        'Content is the text of a JSON file, to be kept as it is: the command check-evidence holds it against the sealed PDF, without the server. 404 for what is not sealed.',
      answer: 'DocumentEvidence',
    },
    countDocuments: {
      summary: 'Count the documents of a project',
      query: {
        ignoreInbox:
          'boolean Accepted, and not read: there is no inbox, every document is in a folder or at the root.',
        ignoreRecycleBin: 'boolean Not those that are in the recycle bin.',
      },
      answer: 'integer',
    },
    countPages: { summary: 'Count the pages of the documents of a project', answer: 'integer' },
    countRecycleBinDocuments: { summary: 'Count what is in the recycle bin', answer: 'integer' },
  },
};
