import { fieldValues } from '../fields/values.ts';
import { ids } from '../shape/ids.ts';
import { input } from '../shape/input.ts';
import { filledText, text, texts } from '../shape/input-member.ts';

export const documentChange = input(
  'DocumentPart',
  'Changes of a document; members that are left out do not change.',
  {
    name: text('Name'),
    assigneeEmails: texts('AssignmentUserEmails'),
    fieldValues: fieldValues('Field ids, and the values that replace those of the field.'),
  },
  {
    besides: { ID: 'string The id in the path.' },
    example: { Name: 'permit-44 final.pdf' },
  },
);

export const documentMove = input(
  'DocumentMove',
  'Documents, and the folder to move them to.',
  { documentIds: ids('The ids of the documents.'), folderId: filledText('DocumentFolderID') },
  {
    example: {
      IDs: ['doc_01k9nztfxdmdms8g8s6whatht9'],
      DocumentFolderID: 'fld_01k9g6qdc9hw1xwtzcn4yq5kdb',
    },
  },
);
