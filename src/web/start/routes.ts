import { readFileSync } from 'node:fs';
import { type Context as Call, Hono } from 'hono';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import type { Context } from '../../domain/kernel/context.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { runStored, storedOperation } from '../../graph/http/execute.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { ICON_SVG } from '../ui/mark.js';
import { page } from '../ui/page.ts';
import { START_POLICY, Start } from './view.tsx';

export interface StartOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

const organizations = storedOperation<Data, Record<string, never>>(`query StartPage {
  viewer { organizations(first: 50) { nodes { id name viewerRole } } }
}`);

interface Data {
  viewer: { organizations: { nodes: { id: string; name: string; viewerRole: string }[] } };
}

const STATIC_HEADERS = { 'Cache-Control': 'public, max-age=86400' };

/** Pages are for who was sent their address; nothing here is for a search engine. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** `/`, the icon of the site, and addresses that people and programs try. */
export function startRouter(options: StartOptions): Hono {
  const app = new Hono();
  app.get('/', (call) => show(options, call));
  app.get('/favicon.svg', (call) =>
    call.body(ICON_SVG, 200, { ...STATIC_HEADERS, 'Content-Type': 'image/svg+xml' }),
  );
  app.get('/favicon.ico', (call) =>
    call.body(icon(), 200, { ...STATIC_HEADERS, 'Content-Type': 'image/x-icon' }),
  );
  app.get('/robots.txt', (call) => call.text(ROBOTS, 200, STATIC_HEADERS));
  app.get('/login', (call) => call.redirect(`/sign-in${new URL(call.req.url).search}`));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const icon = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(new URL('../../generated/assets/favicon.ico', import.meta.url)));

async function show({ db, cookie, contextFor, requestIdOf }: StartOptions, call: Call): Promise<Response> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (!session) return page(Start({}), { policy: START_POLICY });
  const { viewer } = await runStored(organizations, {}, contextFor(session.viewer, requestIdOf(call)));
  const content = Start({
    viewer: {
      name: session.viewer.name,
      organizations: viewer.organizations.nodes.map(({ viewerRole, ...each }) => ({
        ...each,
        role: viewerRole,
      })),
    },
  });
  return page(content, { policy: START_POLICY });
}
