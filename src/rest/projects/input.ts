import { combined, input } from '../shape/input.ts';
import { flag, requiredText, term, text } from '../shape/input-member.ts';
import { ACCESS_TYPES } from './record.ts';

/** The project to copy, if there is one. */
const source = combined(
  {
    projectId: text(
      'SourceID',
      'A project of the organization whose folders, fields with choices, tags, forms, processes and signature templates are copied. Members, assignments, shares, links, history and comments are not.',
    ),
    copyContent: flag(
      'SourceContentCopy',
      'Copies documents (newest revision, tags and field values) and tasks (open, without assignee) of `SourceID` as well.',
    ),
  },
  (item, { projectId, copyContent }) => {
    const id = projectId.read(item);
    return id ? { projectId: id, copyContent: copyContent.read(item) } : undefined;
  },
);

export const newProject = input(
  'ProjectInput',
  'A new project.',
  {
    name: requiredText('Name'),
    source,
    access: term(
      'AccessType',
      ACCESS_TYPES,
      'By default that of `SourceID`; without one, every member of the organization can see it.',
    ),
  },
  { example: { Name: 'Quay Renewal', AccessType: 'GlobalAssignments_MemberContentByDefault' } },
);

export const projectChange = input(
  'ProjectPart',
  'Changes of a project; members that are left out do not change.',
  {
    name: text('Name'),
    access: term('AccessType', ACCESS_TYPES),
    disabled: flag('Disabled'),
  },
  {
    besides: { ID: 'string If sent, it must be the id in the path.' },
    example: { Name: 'Quay Renewal II' },
  },
);
