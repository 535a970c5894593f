import type { Area } from '../contract.ts';

const NOT_READ = 'Accepted, and not read.';

export const folderArea: Area = {
  title: 'Folders',
  about: 'A tree of folders in each project.',
  inputs: {
    FolderInput: {
      about: 'A new folder.',
      members: { Name: 'string!', ParentID: 'string', AssignmentUserEmails: 'string[]', HexColor: 'string' },
      example: { ParentID: null, Name: '2031', AssignmentUserEmails: [], HexColor: '#2e7d5b' },
    },
    FolderPart: {
      about: 'What changes of a folder; what is left out stays as it is.',
      members: {
        ID: `string ${NOT_READ}`,
        Name: 'string',
        ParentID: 'string',
        AssignmentUserEmails: 'string[]',
        HexColor: 'string',
      },
      example: { Name: 'Permits of 2031' },
    },
  },
  operations: {
    listDocumentFolders: {
      summary: 'List folders',
      details: 'One level a call.',
      query: { parentId: 'string The folder whose children are listed; the root when it is left out.' },
      answer: { key: 'DocumentFolders', of: 'DocumentFolder' },
    },
    createDocumentFolders: {
      summary: 'Create folders',
      query: { documentFolderPathPrefix: `string ${NOT_READ}` },
      body: 'FolderInput[]',
      answer: 'DocumentFolder[]',
    },
    deleteDocumentFolders: {
      summary: 'Delete folders',
      details:
        'With the folders below them. They must hold no documents: 409 otherwise, and none is deleted.',
      body: 'IDs',
    },
    getDocumentFolder: {
      summary: 'Get a folder',
      query: { documentFolderId: `string ${NOT_READ}` },
      answer: 'DocumentFolder',
    },
    updateDocumentFolder: { summary: 'Update a folder', body: 'FolderPart', answer: 'DocumentFolder' },
  },
};
