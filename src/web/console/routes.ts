import { Hono } from 'hono';
import { DomainError } from '../../domain/kernel/errors.ts';
import { errorPage } from '../ui/error-page.ts';
import { problemPage } from '../ui/problem-page.tsx';
import { accessAppPages } from './access/app-routes.ts';
import { accessPages } from './access/routes.ts';
import { approvalPages } from './approvals/approval-routes.ts';
import { approvalListPages } from './approvals/routes.tsx';
import { appPages } from './apps/app-routes.ts';
import { appListPages } from './apps/routes.ts';
import { documentPages } from './document/routes.ts';
import { recycleBinPages } from './documents/bin-routes.tsx';
import { folderPages } from './documents/folder-routes.ts';
import { projectFilePages } from './documents/routes.ts';
import { exportPages } from './export/routes.ts';
import { formPages } from './forms/form-routes.ts';
import { formListPages } from './forms/routes.ts';
import { groupPages } from './groups/group-routes.ts';
import { groupListPages } from './groups/routes.ts';
import { inboxPages } from './inbox/routes.ts';
import { keyPages } from './keys/routes.ts';
import { eventPages } from './log/event-routes.ts';
import { logPages } from './log/routes.ts';
import { mailPages } from './mails/routes.ts';
import { notificationPages } from './notifications/routes.ts';
import { memberPages } from './people/member-routes.ts';
import { ownSubstitutePages } from './people/own-substitutes-routes.tsx';
import { peoplePages } from './people/routes.ts';
import { processEditorPages } from './processes/editor-routes.ts';
import { processPages } from './processes/process-routes.ts';
import { processListPages } from './processes/routes.ts';
import { projectPeoplePages } from './projects/people-routes.ts';
import { projectListPages } from './projects/routes.ts';
import { retentionPolicyPages } from './retention/policy-routes.ts';
import { retentionListPages } from './retention/routes.ts';
import { searchPages } from './search/routes.ts';
import { organizationSecurityPages } from './security/organization-routes.tsx';
import { securityPages } from './security/routes.tsx';
import { settingsPages } from './settings/routes.ts';
import { signatureListPages } from './signatures/routes.ts';
import { signaturePages } from './signatures/session-routes.ts';
import { ownDocumentPages } from './start/document-routes.tsx';
import { startPages } from './start/routes.ts';
import { storagePages } from './storage/routes.tsx';
import { newTaskPages } from './tasks/new-routes.ts';
import { taskListPages } from './tasks/routes.ts';
import { taskPages } from './tasks/task-routes.ts';
import { COPY_SCRIPT } from './ui/frame.tsx';
import { type ConsoleOptions, ConsolePages } from './ui/visit.ts';
import { UPLOAD_SCRIPT } from './upload/upload-view.tsx';
import { keyUsePages, usePages } from './use/routes.ts';
import { deliveryPages } from './webhooks/delivery-routes.ts';
import { webhookListPages } from './webhooks/routes.ts';
import { EDITOR_SCRIPT } from './webhooks/selection-editor.tsx';
import { webhookSignaturePages } from './webhooks/signature-routes.ts';
import { webhookPages } from './webhooks/webhook-routes.ts';

/** An organization by its id, so that its pages and those of the viewer have different paths. */
const ORGANIZATION_PATH = '/console/:organization{org_[0-9a-z]{26}}';

/** Lists come before their items: `apps/new` is no application. */
const ORGANIZATION_PAGES = [
  startPages,
  peoplePages,
  memberPages,
  groupListPages,
  groupPages,
  projectListPages,
  projectFilePages,
  folderPages,
  recycleBinPages,
  documentPages,
  searchPages,
  projectPeoplePages,
  taskListPages,
  newTaskPages,
  taskPages,
  formListPages,
  formPages,
  signatureListPages,
  signaturePages,
  processListPages,
  processEditorPages,
  processPages,
  approvalListPages,
  approvalPages,
  appListPages,
  appPages,
  accessPages,
  accessAppPages,
  webhookListPages,
  webhookPages,
  deliveryPages,
  webhookSignaturePages,
  usePages,
  mailPages,
  storagePages,
  exportPages,
  retentionListPages,
  retentionPolicyPages,
  settingsPages,
  organizationSecurityPages,
  logPages,
  eventPages,
];

/** Errors with a page of their own: what is not visible is no page. */
const STATUS: Partial<Record<DomainError['code'], 404 | 429>> = { NOT_FOUND: 404, RATE_LIMITED: 429 };

/** `/console`: administration in the browser, over operations of the graph alone. */
export function consoleRouter(options: ConsoleOptions): Hono {
  const app = new Hono();
  for (const script of [COPY_SCRIPT, UPLOAD_SCRIPT, EDITOR_SCRIPT])
    app.get(script.path, () => script.response());
  const pages = new ConsolePages(app, options);
  ownDocumentPages(pages);
  inboxPages(pages);
  keyPages(pages);
  keyUsePages(pages);
  securityPages(pages);
  notificationPages(pages);
  ownSubstitutePages(pages);
  for (const addPages of ORGANIZATION_PAGES) addPages(pages, ORGANIZATION_PATH);
  app.onError((error, call) => {
    const status = error instanceof DomainError && STATUS[error.code];
    if (!status) return errorPage(options, call, error);
    const { text, retryAfter } = status === 429 ? { text: error.message, retryAfter: error.retryAfter } : {};
    const headers: Record<string, string> = retryAfter ? { 'Retry-After': `${retryAfter}` } : {};
    return problemPage({ status, text, requestId: options.requestIdOf(call) }, headers);
  });
  return app;
}
