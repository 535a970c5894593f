import type { Context as Call } from 'hono';
import { formToken, requireOwnForm } from '../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../auth/session.ts';
import type { Context } from '../domain/kernel/context.ts';
import { undefinedIfNotFound } from '../domain/kernel/errors.ts';
import { listPages } from '../domain/kernel/listing.ts';
import type { Page } from '../domain/kernel/page.ts';
import { type Authorization, authorizationsOfViewer, revokeAuthorization } from '../domain/oauth/grant.ts';
import { AuthorizedApps } from '../web/oauth/authorized-apps.tsx';
import { page } from '../web/ui/page.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { readForm, requireValue } from './form.ts';
import { seeOther } from './redirect.ts';

const PATH = '/oauth/apps';

/** `GET /oauth/apps`: the applications to which the signed-in user has given access. */
export async function appsEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const session = await sessionOfRequest(server.db, server.cookie, call.req.raw.headers);
  if (!session) return seeOther(`/sign-in?return_to=${encodeURIComponent(PATH)}`);
  const { rows, hasNextPage, cursorOf } = await listAuthorizations(
    contextOf(server, call, session),
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

async function listAuthorizations(ctx: Context, after: string | undefined): Promise<Page<Authorization>> {
  const parent = { organizationId: '', id: ctx.viewer.userId };
  const orderBy = { field: 'CREATED_AT', direction: 'DESC' } as const;
  const [authorizations] = await listPages(ctx, authorizationsOfViewer, [parent], {
    after,
    filter: {},
    orderBy,
  });
  return authorizations as Page<Authorization>;
}

/** `POST /oauth/apps`: revokes the access of one application. */
export async function revokeAppEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['client_id', 'form_token']);
  const session = await sessionOfRequest(server.db, server.cookie, call.req.raw.headers);
  if (!session) return seeOther(`/sign-in?return_to=${encodeURIComponent(PATH)}`);
  requireOwnForm(call.req.raw.headers, server.ownOrigins(call), {
    secret: session.secret,
    token: form.value('form_token') ?? null,
  });
  await revokeIfAuthorized(contextOf(server, call, session), requireValue(form, 'client_id'));
  return seeOther(`${PATH}?revoked`);
}

/** A second click finds nothing to revoke, which is no error. */
async function revokeIfAuthorized(ctx: Context, clientId: string): Promise<void> {
  await revokeAuthorization(ctx, { clientId }).catch(undefinedIfNotFound);
}

const contextOf = (
  { contextFor, requestIdOf }: AuthorizationServer,
  call: Call,
  { viewer }: Session,
): Context => contextFor(viewer, requestIdOf(call));
