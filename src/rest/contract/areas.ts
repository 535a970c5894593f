import type { Area, Records } from './contract.ts';
import { accountArea } from './operations/account.ts';
import { approvalArea } from './operations/approvals.ts';
import { documentArea } from './operations/documents.ts';
import { fieldArea } from './operations/fields.ts';
import { folderArea } from './operations/folders.ts';
import { formArea } from './operations/forms.ts';
import { memberArea } from './operations/members.ts';
import { organizationArea } from './operations/organizations.ts';
import { searchArea } from './operations/search.ts';
import { signatureArea } from './operations/signatures.ts';
import { taskArea } from './operations/tasks.ts';
import { accountRecords } from './records/account.ts';
import { approvalRecords } from './records/approvals.ts';
import { documentRecords } from './records/documents.ts';
import { fieldRecords } from './records/fields.ts';
import { folderRecords } from './records/folders.ts';
import { formRecords } from './records/forms.ts';
import { memberRecords } from './records/members.ts';
import { organizationRecords } from './records/organizations.ts';
import { searchRecords } from './records/search.ts';
import { signatureRecords } from './records/signatures.ts';
import { signingRecords } from './records/signing.ts';
import { taskRecords } from './records/tasks.ts';

/** In the order in which they are read. */
export const AREAS: readonly Area[] = [
  organizationArea,
  memberArea,
  documentArea,
  folderArea,
  fieldArea,
  taskArea,
  approvalArea,
  formArea,
  signatureArea,
  searchArea,
  accountArea,
];

export const RECORDS: readonly Records[] = [
  organizationRecords,
  memberRecords,
  documentRecords,
  folderRecords,
  fieldRecords,
  taskRecords,
  approvalRecords,
  formRecords,
  signatureRecords,
  signingRecords,
  searchRecords,
  accountRecords,
];
