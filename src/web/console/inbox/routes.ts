import { notFound } from '../../../domain/kernel/errors.ts';
import { inboxPath } from '../../../domain/notifications/notification-text.ts';
import {
  ConsoleInboxDocument,
  ConsoleMarkReadDocument,
  ConsoleNotificationDocument,
  type ConsoleNotificationFragment,
  ConsoleNotifiedApprovalDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import { hrefOf } from '../ui/parts.tsx';
import { projectHref } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { chosenPart, InboxView } from './view.tsx';

const INBOX = storedOperation(ConsoleInboxDocument);
const NOTIFICATION = storedOperation(ConsoleNotificationDocument);
const APPROVAL = storedOperation(ConsoleNotifiedApprovalDocument);
const MARK_READ = storedMutation(ConsoleMarkReadDocument);

/** `/console/inbox`: the notifications of the viewer, and the way from each to what it is about. */
export function inboxPages(pages: ConsolePages): void {
  pages.get(inboxPath(), (visit) => showInbox(visit));
  pages.post(inboxPath(), markRead);
  pages.get(`${inboxPath()}/:notification`, openNotification);
}

const FILTERS = { all: {}, unread: { isUnread: true }, read: { isUnread: false } };

async function showInbox(visit: Visit, error?: FormError): Promise<Response> {
  const after = visit.query('after');
  const part = chosenPart(visit.query('show'));
  const { viewer } = await visit.run(INBOX, { after, filter: FILTERS[part] });
  return consolePage({
    visit,
    title: 'Inbox',
    error,
    children: InboxView({ formToken: visit.formToken, viewer, part, after }),
  });
}

/** Marks one notification as read, or all that were there when the page was read. */
const markRead = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const id = form.get('notification');
      await visit.run(MARK_READ, { input: id === null ? { until: form.get('until') } : { ids: [id] } });
      return seeOther(hrefOf(inboxPath(), { show: form.get('show') ?? '' }));
    },
    (error) => showInbox(visit, error),
  );

/** Links of mails and of the inbox: opening what a notification is about is reading it. */
async function openNotification(visit: Visit): Promise<Response> {
  const id = visit.param('notification');
  const { node } = await visit.run(NOTIFICATION, { id });
  if (node?.__typename !== 'Notification') throw notFound('Notification');
  const target = await targetOf(visit, node);
  if (!node.readAt) await visit.run(MARK_READ, { input: { ids: [id] } });
  return seeOther(target);
}

/** The page of the approval that waits for the viewer, or else of the subject. */
async function targetOf(visit: Visit, notification: ConsoleNotificationFragment): Promise<string> {
  const { kind, organizationId, projectId, subject } = notification;
  if (!subject) throw notFound('Notification');
  const approvalId = kind.startsWith('APPROVAL_')
    ? await waitingApproval(visit, projectId, subject.id)
    : undefined;
  if (approvalId) return `/console/${organizationId}/approvals/${approvalId}`;
  const part = PARTS[subject.__typename];
  return projectHref({ organizationId, id: projectId }, part && `${part}/${subject.id}`);
}

/** Where a project has the pages of what is in it. */
const PARTS: Record<string, string> = { Document: 'documents', Folder: 'folders', Task: 'tasks' };

async function waitingApproval(visit: Visit, projectId: string, itemId: string): Promise<string | undefined> {
  const { project } = await visit.run(APPROVAL, { projectId, itemId });
  return project?.approvals.nodes[0]?.id;
}
