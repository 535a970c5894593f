import { folderChange, newFolder } from '../../../folders/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const IGNORED = 'Accepted and ignored.';

export const folderArea: Area = {
  title: 'Folders',
  about: 'A tree of folders in each project.',
  inputs: shapesOf([newFolder, folderChange]),
  operations: {
    listDocumentFolders: {
      summary: 'List folders',
      details: 'Returns the direct children of one folder.',
      query: { parentId: 'string The folder whose children are listed; the root by default.' },
      answer: { key: 'DocumentFolders', of: 'DocumentFolder' },
    },
    createDocumentFolders: {
      summary: 'Create folders',
      query: { documentFolderPathPrefix: `string ${IGNORED}` },
      body: 'FolderInput[]',
      answer: 'DocumentFolder[]',
    },
    deleteDocumentFolders: {
      summary: 'Delete folders',
      details:
        'Deletes the folders below them too. If any of them contains a document, the status is 409 and none is deleted.',
      body: 'IDs',
    },
    getDocumentFolder: {
      summary: 'Get a folder',
      answer: 'DocumentFolder',
    },
    updateDocumentFolder: { summary: 'Update a folder', body: 'FolderPart', answer: 'DocumentFolder' },
  },
};
