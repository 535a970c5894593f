import type { Context as Call } from 'hono';
import { formToken, requireOwnForm } from '../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../auth/sign-in.ts';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { listPages } from '../domain/kernel/listing.ts';
import type { Page } from '../domain/kernel/page.ts';
import { type Authorization, authorizationsOfViewer, revokeAuthorization } from '../domain/oauth/grant.ts';
import { AuthorizedApps } from '../web/oauth/authorized-apps.tsx';
import { page } from '../web/ui/page.ts';
import { readForm, requireValue } from './form.ts';
import { seeOther } from './redirect.ts';
import type { AuthorizationServer } from './service.ts';

const PATH = '/oauth/apps';

/** `GET /oauth/apps`: the applications one has allowed. */
export async function appsEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const session = await sessionOfRequest(parts.db, parts.cookie, call.req.raw.headers);
  if (!session) return seeOther(`/sign-in?return_to=${encodeURIComponent(PATH)}`);
  const { rows, hasNextPage, cursorOf } = await listed(
    contextOf(parts, call, session),
    call.req.query('after'),
  );
  const last = rows.at(-1);
  return page(
    AuthorizedApps({
      account: session.viewer,
      apps: rows,
      formToken: formToken(session.secret),
      nextHref: hasNextPage && last ? `${PATH}?after=${encodeURIComponent(cursorOf(last))}` : undefined,
      revoked: call.req.query('revoked') !== undefined,
    }),
  );
}

async function listed(ctx: Context, after: string | undefined): Promise<Page<Authorization>> {
  const parent = { organizationId: '', id: ctx.viewer.userId };
  const orderBy = { field: 'CREATED_AT', direction: 'DESC' } as const;
  const [found] = await listPages(ctx, authorizationsOfViewer, [parent], { after, filter: {}, orderBy });
  return found as Page<Authorization>;
}

/** `POST /oauth/apps`: takes the access of one application back. */
export async function revokeAppEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['client_id', 'form_token']);
  const session = await sessionOfRequest(parts.db, parts.cookie, call.req.raw.headers);
  if (!session) return seeOther(`/sign-in?return_to=${encodeURIComponent(PATH)}`);
  requireOwnForm(call.req.raw.headers, parts.ownOrigins(call), {
    secret: session.secret,
    token: form.value('form_token') ?? null,
  });
  await revokeOnce(contextOf(parts, call, session), requireValue(form, 'client_id'));
  return seeOther(`${PATH}?revoked`);
}

/** A second press of the button finds nothing left to do. */
async function revokeOnce(ctx: Context, clientId: string): Promise<void> {
  try {
    await revokeAuthorization(ctx, { clientId });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
  }
}

const contextOf = (
  { contextFor, requestIdOf: newRequestId }: AuthorizationServer,
  call: Call,
  { viewer }: Session,
): Context => contextFor(viewer, newRequestId(call));
