import { approvalRecord } from '../approvals/record.ts';
import { projectCommentRecord } from '../comments/record.ts';
import { packageRecords } from '../document-packages/record.ts';
import { contentRecord, evidenceRecord } from '../documents/content-record.ts';
import { documentHistoryRecords } from '../documents/history-record.ts';
import { changedDocumentRecord, documentRecord } from '../documents/record.ts';
import { fieldRecords } from '../fields/record.ts';
import { folderRecord } from '../folders/record.ts';
import { projectFollowRecords, subscriptionRecord } from '../follows/record.ts';
import { formRecords } from '../forms/record.ts';
import { groupRecord } from '../groups/record.ts';
import { memberRecord, projectMemberRecord } from '../members/record.ts';
import { openedDocumentRecord } from '../opened-documents/record.ts';
import { organizationRecord } from '../organizations/record.ts';
import { processRecord } from '../processes/record.ts';
import { projectRecords } from '../projects/record.ts';
import { settingsRecord } from '../projects/settings-record.ts';
import { type Shape, shapesOf } from '../shape/shape.ts';
import { taskRecords } from '../tasks/record.ts';
import { taskRelatedRecords } from '../tasks/related-record.ts';
import { uploadRecord } from '../uploads/record.ts';
import { apiKeyRecord, newApiKeyRecord } from '../users/api-key-record.ts';
import { clientDataRecords } from '../users/client-data-record.ts';
import { userRecords } from '../users/record.ts';

/** The records of responses by their names. */
export const DECLARED_RECORDS: Readonly<Record<string, Shape>> = shapesOf([
  organizationRecord,
  ...projectRecords,
  settingsRecord,
  documentRecord,
  changedDocumentRecord,
  ...documentHistoryRecords,
  contentRecord,
  evidenceRecord,
  uploadRecord,
  projectCommentRecord,
  subscriptionRecord,
  ...Object.values(projectFollowRecords),
  ...taskRecords,
  ...taskRelatedRecords,
  ...fieldRecords,
  folderRecord,
  groupRecord,
  memberRecord,
  projectMemberRecord,
  ...packageRecords,
  ...formRecords,
  apiKeyRecord,
  newApiKeyRecord,
  ...userRecords,
  ...clientDataRecords,
  openedDocumentRecord,
  processRecord,
  approvalRecord,
]);
