import type { FolderRecordFragment } from '../../generated/operations/graphql.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import {
  boolean,
  by,
  integer,
  lower,
  nullable,
  one,
  record,
  string,
  strings,
  time,
} from '../shape/record.ts';

type Folder = FolderRecordFragment;

export const folderRecord = record<Folder>(
  'DocumentFolder',
  'A folder.',
  {
    ID: string((folder) => folder.id),
    UniqueID: string((folder) => folder.linkId),
    ParentID: string((folder) => folder.ancestorIds.at(-1)),
    AncestorIDs: nullable(strings((folder) => folder.ancestorIds)),
    OrganizationID: string((folder) => folder.organizationId),
    ProjectID: string((folder) => folder.project.id),
    ProjectName: string((folder) => folder.project.name),
    ProjectAccessType: string((folder) => accessType(folder.project.access)),
    ProjectAccess: nullable(one(projectAccess, (folder) => folder.project.access)),
    CreatedOn: time((folder) => folder.createdAt),
    ...by<Folder>('Created', (folder) => folder.createdBy, ['Email', 'Name', 'ID']),
    CreatedByWorkflow: nullable(
      boolean((folder) => folder.createdByWorkflow, 'Whether a form submission created it.'),
    ),
    ModifiedOn: time((folder) => folder.modifiedAt),
    ...by<Folder>('Modified', (folder) => folder.modifiedBy, ['Email', 'Name', 'ID']),
    Name: string((folder) => folder.name),
    NameLower: lower((folder) => folder.name),
    Depth: integer((folder) => folder.depth, 'The number of its ancestors.'),
    AncestorAssignmentUserEmails: nullable(
      strings(
        (folder) => folder.inheritedAssigneeEmails,
        'The e-mail addresses of the assignees of its ancestors.',
      ),
    ),
    AssignmentUserEmails: nullable(strings((folder) => folder.assigneeEmails)),
    HexColor: string((folder) => folder.hexColor),
  },
  { ID: 'fld_01k9ngyng6e35dp6bfkwbxta3q', Name: '2031' },
);
