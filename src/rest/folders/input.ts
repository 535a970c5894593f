import { input } from '../shape/input.ts';
import { clearableText, filledText, requiredText, text, texts } from '../shape/input-member.ts';

export const newFolder = input(
  'FolderInput',
  'A new folder.',
  {
    name: requiredText('Name'),
    parentId: filledText('ParentID'),
    assigneeEmails: texts('AssignmentUserEmails'),
    hexColor: filledText('HexColor'),
  },
  { example: { ParentID: null, Name: '2031', AssignmentUserEmails: [], HexColor: '#2e7d5b' } },
);

/** An empty ParentID moves the folder to the root. */
export const folderChange = input(
  'FolderPart',
  'Changes of a folder; members that are left out do not change.',
  {
    name: text('Name'),
    parentId: clearableText('ParentID'),
    assigneeEmails: texts('AssignmentUserEmails'),
    hexColor: text('HexColor'),
  },
  {
    besides: { ID: 'string Accepted and ignored.' },
    example: { Name: 'Permits of 2031' },
  },
);
