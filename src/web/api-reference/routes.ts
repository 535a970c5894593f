import { type Context as Call, Hono } from 'hono';
import { formToken } from '../../auth/same-origin.ts';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import type { Context } from '../../domain/kernel/context.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import type { OpenApi } from '../../lib/openapi.ts';
import { findExampleIds } from '../graphiql/example-ids.ts';
import { CompressedText } from '../ui/compressed-text.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { page } from '../ui/page.ts';
import { referenceFiles } from './files.ts';
import { ApiReference, REFERENCE_POLICY, type ReferenceViewer } from './view.tsx';

export interface ApiReferenceOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
  contextFor: (viewer: Viewer, requestId: string) => Context;
  /** Creates it once. */
  describe: () => OpenApi;
}

/** The description of REST v1: OpenAPI for programs, created once, and the API reference, where people try requests. Both are public. */
export function apiReferenceRouter(options: ApiReferenceOptions): Hono {
  const app = new Hono();
  let text: CompressedText | undefined;
  app.get('/api/v1/openapi.json', (call) => {
    text ??= new CompressedText(JSON.stringify(options.describe()), {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300',
    });
    return text.respond(call.req.header('accept-encoding'));
  });
  app.get('/api/v1/docs', (call) => showReference(options, call));
  app.get('/assets/api-reference/:version/:name', async (call) => {
    const { version, name } = call.req.param();
    const file = referenceFiles().respond(version, name, call.req.header('accept-encoding'));
    return (await file) ?? call.notFound();
  });
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function showReference(options: ApiReferenceOptions, call: Call): Promise<Response> {
  const files = `/assets/api-reference/${referenceFiles().version}`;
  const { info } = options.describe();
  const content = ApiReference({ files, info, viewer: await viewerOf(options, call) });
  return page(content, { policy: REFERENCE_POLICY });
}

/** Who is signed in, with ids to fill in. */
async function viewerOf(
  { db, cookie, contextFor, requestIdOf }: ApiReferenceOptions,
  call: Call,
): Promise<ReferenceViewer | undefined> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (!session) return undefined;
  const ids = await findExampleIds(contextFor(session.viewer, requestIdOf(call)));
  return { name: session.viewer.name, ids, pageToken: formToken(session.secret) };
}
