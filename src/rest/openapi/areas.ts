import type { Area, Records } from './contract/contract.ts';
import { accountArea } from './contract/operations/account.ts';
import { approvalArea } from './contract/operations/approvals.ts';
import { documentArea } from './contract/operations/documents.ts';
import { fieldArea } from './contract/operations/fields.ts';
import { folderArea } from './contract/operations/folders.ts';
import { formArea } from './contract/operations/forms.ts';
import { memberArea } from './contract/operations/members.ts';
import { organizationArea } from './contract/operations/organizations.ts';
import { searchArea } from './contract/operations/search.ts';
import { signatureArea } from './contract/operations/signatures.ts';
import { taskArea } from './contract/operations/tasks.ts';
import { searchRecords } from './contract/records/search.ts';
import { signatureRecords } from './contract/records/signatures.ts';
import { signingRecords } from './contract/records/signing.ts';

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

export const RECORDS: readonly Records[] = [signatureRecords, signingRecords, searchRecords];
