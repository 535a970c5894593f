import { type Context as Call, Hono } from 'hono';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import type { Context } from '../../domain/kernel/context.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { graphiqlFiles } from './assets.ts';
import { graphiql } from './page.ts';

export interface GraphiqlRouterOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** GraphiQL at `/graphql` for browsers that ask for HTML, and its static files. Other requests pass on to the API. */
export function graphiqlRouter(options: GraphiqlRouterOptions): Hono {
  const app = new Hono();
  app.get('/graphql', (call, next) => (acceptsHtml(call) ? show(options, call) : next()));
  app.get('/graphql/assets/:version/:name', asset);
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const acceptsHtml = (call: Call): boolean => call.req.header('accept')?.includes('text/html') ?? false;

/** Signed in, or with an API key that the user pastes (`?with=key`); otherwise the sign-in page comes first. */
async function show({ db, cookie, contextFor, requestIdOf }: GraphiqlRouterOptions, call: Call) {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (session) return graphiql({ session, ctx: contextFor(session.viewer, requestIdOf(call)) });
  if (call.req.query('with') === 'key') return graphiql();
  const { pathname, search } = new URL(call.req.url);
  return call.redirect(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}

async function asset(call: Call<object, '/graphql/assets/:version/:name'>) {
  const { version, name } = call.req.param();
  const file = graphiqlFiles().respond(version, name, call.req.header('accept-encoding'));
  return (await file) ?? call.notFound();
}
