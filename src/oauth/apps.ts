import type { Context as Call } from 'hono';
import { formToken, requireOwnForm } from '../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../auth/session.ts';
import type { Context } from '../domain/kernel/context.ts';
import { undefinedIfNotFound } from '../domain/kernel/errors.ts';
import { listPages } from '../domain/kernel/listing.ts';
import type { Page } from '../domain/kernel/page.ts';
import { type Authorization, authorizationsOfViewer, revokeAuthorization } from '../domain/oauth/grant.ts';
import { limitAuthorization, placesOf } from '../domain/oauth/grant-limit.ts';
import { limitChoices } from '../domain/oauth/limit-choice.ts';
import { findOrganizations } from '../domain/organizations/organization.ts';
import { findProjects } from '../domain/projects/project.ts';
import { AuthorizedApps } from '../web/oauth/authorized-apps.tsx';
import { LimitPage } from '../web/oauth/limit-page.tsx';
import { page } from '../web/ui/page.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { invalidRequest } from './errors.ts';
import { limitProblem, readForm, readLimit, requireValue } from './form.ts';
import type { Parameters } from './parameters.ts';
import { seeOther } from './redirect.ts';

const PATH = '/oauth/apps';
const SIGN_IN = `/sign-in?return_to=${encodeURIComponent(PATH)}`;
const DONE = ['revoked', 'limited'] as const;

/** `GET /oauth/apps`: the applications to which the signed-in user has given access. */
export async function appsEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const session = await sessionOfRequest(server.db, server.cookie, call.req.raw.headers);
  if (!session) return seeOther(SIGN_IN);
  const ctx = contextOf(server, call, session);
  const { rows, hasNextPage, cursorOf } = await listAuthorizations(ctx, call.req.query('after'));
  const last = rows.at(-1);
  return page(
    AuthorizedApps({
      account: session.viewer,
      apps: rows,
      formToken: formToken(session.secret),
      nextHref: hasNextPage && last ? `${PATH}?after=${encodeURIComponent(cursorOf(last))}` : undefined,
      limitNames: await namesOfLimits(ctx, rows),
      done: DONE.find((each) => call.req.query(each) !== undefined),
    }),
  );
}

/** The names of the organizations and projects to which applications are limited, by id. */
async function namesOfLimits(ctx: Context, authorizations: readonly Authorization[]) {
  const limits = authorizations.flatMap(({ limitedTo }) => (limitedTo ? [placesOf(limitedTo)] : []));
  const named = await Promise.all([
    findOrganizations(ctx, [...new Set(limits.flatMap((each) => each.organizationIds))]),
    findProjects(ctx, [...new Set(limits.flatMap((each) => each.projectIds))]),
  ]);
  return new Map(named.flat().map(({ id, name }) => [id, name]));
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

/** `GET /oauth/apps/limit`: where one application may act. */
export async function limitEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const session = await sessionOfRequest(server.db, server.cookie, call.req.raw.headers);
  if (!session) return seeOther(SIGN_IN);
  return limitPage(server, call, session, call.req.query('client_id') ?? '');
}

async function limitPage(
  server: AuthorizationServer,
  call: Call,
  session: Session,
  clientId: string,
  problem?: string,
): Promise<Response> {
  const { clientName, ...limit } = await limitChoices(contextOf(server, call, session), clientId);
  if (clientName === undefined) return seeOther(PATH);
  const { viewer, secret } = session;
  const content = LimitPage({
    ...{ account: viewer, client: { id: clientId, name: clientName }, limit },
    ...{ formToken: formToken(secret), problem },
  });
  return page(content, { status: problem ? 422 : 200 });
}

/** `POST /oauth/apps/limit`. */
export async function setLimitEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['client_id', 'form_token', 'reach']);
  const session = await ownSession(server, call, form);
  if (!session) return seeOther(SIGN_IN);
  const clientId = requireValue(form, 'client_id');
  const limitedTo = readLimit(form);
  if (limitedTo === undefined) throw invalidRequest('reach is missing.');
  const problem = await limitAuthorization(contextOf(server, call, session), { clientId, limitedTo }).then(
    () => undefined,
    limitProblem,
  );
  return problem ? limitPage(server, call, session, clientId, problem) : seeOther(`${PATH}?limited`);
}

/** The session of a form from our page; undefined without one. Throws FORBIDDEN for a form from elsewhere. */
async function ownSession(
  server: AuthorizationServer,
  call: Call,
  form: Parameters,
): Promise<Session | undefined> {
  const { headers } = call.req.raw;
  const session = await sessionOfRequest(server.db, server.cookie, headers);
  if (session)
    requireOwnForm(headers, server.ownOrigins(call), {
      secret: session.secret,
      token: form.value('form_token') ?? null,
    });
  return session;
}

/** `POST /oauth/apps`: revokes the access of one application. */
export async function revokeAppEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, ['client_id', 'form_token']);
  const session = await ownSession(server, call, form);
  if (!session) return seeOther(SIGN_IN);
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
