import type { FolderRecordFragment } from '../../generated/operations/graphql.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import { by, text, time } from '../wire/values.ts';

/** DocumentFolder. */
export const folderRecord = (folder: FolderRecordFragment) => ({
  ID: folder.id,
  UniqueID: folder.linkId,
  ParentID: text(folder.ancestorIds.at(-1)),
  AncestorIDs: folder.ancestorIds,
  OrganizationID: folder.organizationId,
  ProjectID: folder.project.id,
  ProjectName: folder.project.name,
  ProjectAccessType: accessType(folder.project.access),
  ProjectAccess: projectAccess(folder.project.access),
  CreatedOn: folder.createdAt,
  ...by('Created', folder.createdBy),
  CreatedByWorkflow: folder.createdByWorkflow,
  ModifiedOn: time(folder.modifiedAt),
  ...by('Modified', folder.modifiedBy),
  Name: folder.name,
  NameLower: folder.name.toLowerCase(),
  Depth: folder.depth,
  AncestorAssignmentUserEmails: folder.inheritedAssigneeEmails,
  AssignmentUserEmails: folder.assigneeEmails,
  HexColor: text(folder.hexColor),
});
