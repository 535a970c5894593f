import type { SessionDocumentFragment } from '../../generated/operations/graphql.ts';
import { ZERO_TIME } from '../wire/values.ts';
import { packageRecord, signatureFormRecord } from './record.ts';

/** The records of a document without signatures, for callers who may not create the form or the session. */

interface Owned {
  organizationId: string;
  project: { id: string };
}

/** DocumentSignatureForm without an id. */
export const emptyFormRecord = (document: Owned & { id: string; name: string }) =>
  signatureFormRecord({
    id: '',
    organizationId: document.organizationId,
    templateId: null,
    createdAt: ZERO_TIME,
    project: document.project,
    document,
    fieldCount: 0,
    lastViewedPageIndex: 0,
  });

/** DocumentSignatureSessionPackage without recipients, of a session without an id. */
export const emptyPackageRecord = (document: Owned & SessionDocumentFragment) =>
  packageRecord({
    id: '',
    createdAt: ZERO_TIME,
    createdBy: { id: '', name: '', email: '' },
    modifiedAt: null,
    modifiedBy: null,
    project: document.project,
    document,
    revision: { id: '' },
    state: 'DRAFT',
    completedAt: null,
    sealedAt: null,
    design: 'CUSTOM',
    useAccessCode: false,
    useCustomMail: false,
    customSubject: null,
    customBody: null,
    placeInitials: false,
    placeFullName: false,
    placeEmail: false,
    placeTitle: false,
    recipients: { nodes: [] },
  });
