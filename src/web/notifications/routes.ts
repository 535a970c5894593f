import { type Context as Call, Hono } from 'hono';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Storage } from '../../domain/kernel/context.ts';
import type { NotificationKind } from '../../domain/notifications/notification-kind.ts';
import { opensStop, type StopTarget, stopMails } from '../../domain/notifications/notification-preference.ts';
import { opensStopReminders, stopReminders } from '../../domain/signatures/signature-reminder-stop.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit } from '../ui/form-body.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { StopMails, StopReminders } from './view.tsx';

export interface NotificationPagesOptions extends ErrorReporting {
  db: Database;
  storage: Storage;
}

const REMINDERS_PATH = '/notifications/stop/:recipientId/:secret';
const PATH = '/notifications/stop/:userId/:kind/:secret';

/** The link at the foot of a mail that ends mails of its kind. Opening it changes nothing; a POST without a cookie does (RFC 8058). */
export function notificationRouter(options: NotificationPagesOptions): Hono {
  const app = new Hono();
  app.get(PATH, (call) =>
    targetOf(options, call) ? page(StopMails({ path: call.req.path }), NO_INDEX) : invalidPage(),
  );
  app.post(PATH, formLimit, (call) => stop(options, call));
  app.get(REMINDERS_PATH, (call) =>
    signerOf(options, call) ? page(StopReminders({ path: call.req.path }), NO_INDEX) : invalidPage(),
  );
  app.post(REMINDERS_PATH, formLimit, (call) => stopSigner(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const NO_INDEX = { headers: { 'X-Robots-Tag': 'noindex' } };

function targetOf({ storage }: NotificationPagesOptions, call: Call): StopTarget | undefined {
  const { userId = '', kind, secret = '' } = call.req.param() as Record<string, string>;
  const target = { userId, kind: kind as NotificationKind };
  return opensStop(storage, secret, target) ? target : undefined;
}

const invalidPage = (): Response =>
  page(Message({ title: 'This link is not valid', text: 'Copy the whole link from the mail.' }), {
    ...NO_INDEX,
    status: 404,
  });

async function stop(options: NotificationPagesOptions, call: Call): Promise<Response> {
  const target = targetOf(options, call);
  if (!target) return invalidPage();
  await inTransaction(options.db, (tx) => stopMails(tx, target));
  return page(
    Message({
      title: 'No more mails of this kind',
      text: 'You still find the notifications in your inbox.',
      link: { href: '/console/notifications', text: 'Choose what is mailed' },
    }),
    NO_INDEX,
  );
}

function signerOf({ storage }: NotificationPagesOptions, call: Call): string | undefined {
  const { recipientId = '', secret = '' } = call.req.param() as Record<string, string>;
  return opensStopReminders(storage, secret, recipientId) ? recipientId : undefined;
}

async function stopSigner(options: NotificationPagesOptions, call: Call): Promise<Response> {
  const recipientId = signerOf(options, call);
  if (!recipientId) return invalidPage();
  await inTransaction(options.db, (tx) => stopReminders(tx, recipientId));
  return page(
    Message({
      title: 'No more reminders',
      text: 'You get no more reminders of this document. The link in the mail still opens it.',
    }),
    NO_INDEX,
  );
}
