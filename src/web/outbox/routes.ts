import { type Context as Call, Hono } from 'hono';
import type PostalMime from 'postal-mime';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { listPages } from '../../domain/kernel/listing.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { type Mail, mailsOfOutbox, outboxMessages } from '../../domain/mails/mail.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { Outbox, OutboxMail } from './view.tsx';

export interface OutboxOptions extends ErrorReporting {
  cookie: SessionCookie;
  db: Context['db'];
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

const PATH = '/outbox';

/** `/outbox`: the mails of a server without a mail server, for the people who may read them. */
export function outboxRouter(options: OutboxOptions): Hono {
  const app = new Hono();
  app.get(PATH, (call) => withContext(options, call, (ctx) => showList(ctx, call.req.query('after'))));
  app.get(`${PATH}/:id`, (call) => withContext(options, call, (ctx) => showMail(ctx, call.req.param('id'))));
  app.get(`${PATH}/:id/html`, (call) =>
    withContext(options, call, (ctx) => showHtml(ctx, call.req.param('id'))),
  );
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function withContext(
  { db, cookie, contextFor, requestIdOf }: OutboxOptions,
  call: Call,
  show: (ctx: Context) => Promise<Response>,
): Promise<Response> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (session) return show(contextFor(session.viewer, requestIdOf(call)));
  const location = `/sign-in?return_to=${encodeURIComponent(call.req.path)}`;
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
}

async function showList(ctx: Context, after: string | undefined): Promise<Response> {
  const parent = { organizationId: '', id: ctx.viewer.userId };
  const orderBy = { field: 'CREATED_AT', direction: 'DESC' } as const;
  const [list] = await listPages(ctx, mailsOfOutbox, [parent], { after, filter: {}, orderBy });
  const { rows, hasNextPage, cursorOf } = list as Page<Mail>;
  const messages = await outboxMessages(
    ctx,
    rows.map(({ id }) => id),
  );
  const mails = await Promise.all(
    rows.map(async ({ id, toEmail: to, createdAt }) => {
      const { subject = '' } = await parseMail(messages.get(id) ?? '');
      return { href: `${PATH}/${id}`, to, createdAt, subject };
    }),
  );
  const last = rows.at(-1);
  const nextHref = hasNextPage && last ? `${PATH}?after=${encodeURIComponent(cursorOf(last))}` : undefined;
  return page(Outbox({ viewerName: ctx.viewer.name, mails, nextHref }));
}

/** The parser is imported late: an outbox is for trying things out. */
async function parseMail(message: Parameters<typeof PostalMime.parse>[0]) {
  const { default: parser } = await import('postal-mime');
  return parser.parse(message);
}

async function readMessage(ctx: Context, id: string) {
  const message = (await outboxMessages(ctx, [id])).get(id);
  return message && parseMail(message);
}

const missing = () =>
  page(
    Message({
      title: 'Mail not found',
      text: 'It is not in your outbox.',
      link: { href: PATH, text: 'Outbox' },
    }),
    {
      status: 404,
    },
  );

async function showMail(ctx: Context, id: string): Promise<Response> {
  const mail = await readMessage(ctx, id);
  if (!mail) return missing();
  const { subject = '', text = '', headers } = mail;
  const props = {
    viewerName: ctx.viewer.name,
    subject,
    text,
    headers,
    htmlHref: `${PATH}/${id}/html`,
    listHref: PATH,
  };
  return page(OutboxMail(props), { policy: { 'frame-src': "'self'" } });
}

/** The HTML part for the frame of that page: without scripts; its links open in a new window. */
async function showHtml(ctx: Context, id: string): Promise<Response> {
  const mail = await readMessage(ctx, id);
  if (!mail?.html) return missing();
  return new Response(mail.html.replace('<head>', '<head><base target="_blank">'), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      'X-Frame-Options': 'SAMEORIGIN',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}
