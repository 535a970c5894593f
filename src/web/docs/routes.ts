import { type Context as Call, Hono } from 'hono';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { page } from '../ui/page.ts';
import { type DocsPage, docsPages, docsPicture } from './pages.ts';
import { DOCS_POLICY, Docs } from './view.tsx';

export interface DocsOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
}

/** The documentation: docs/*.md at `/docs`, without a sign-in. */
export function docsRouter(options: DocsOptions): Hono {
  const app = new Hono();
  app.get('/docs', (call) => call.redirect(`/docs/${firstPage()}`));
  app.get('/docs/pictures/:name', picture);
  app.get('/docs/:slug', (call) => show(options, call));
  app.get('/assets/docs/:version/:name', async (call) => {
    const { version, name } = call.req.param();
    const file = docsPages().files.respond(version, name, call.req.header('accept-encoding'));
    return (await file) ?? call.notFound();
  });
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const firstPage = (): string => docsPages().docs.groups[0]?.pages[0] ?? '';

function picture(call: Call<object, '/docs/pictures/:name'>): Response | Promise<Response> {
  const bytes = docsPicture(call.req.param('name'));
  if (!bytes) return call.notFound();
  return new Response(bytes, {
    headers: { 'Content-Type': 'image/webp', 'Cache-Control': 'public, max-age=3600' },
  });
}

async function show({ db, cookie }: DocsOptions, call: Call<object, '/docs/:slug'>): Promise<Response> {
  const { docs, files } = docsPages();
  const bySlug = new Map(docs.pages.map((each) => [each.slug, each]));
  const shown = bySlug.get(call.req.param('slug'));
  if (!shown) return call.notFound();
  const groups = docs.groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((slug) => bySlug.get(slug)).filter((each): each is DocsPage => each !== undefined),
  }));
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  const path = `/assets/docs/${files.version}`;
  const content = Docs({ page: shown, groups, files: path, viewerName: session?.viewer.name });
  return page(content, { policy: DOCS_POLICY });
}
