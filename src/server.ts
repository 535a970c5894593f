import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { bearerOf, viewerOfBearer } from './auth/bearer.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Context, Storage } from './domain/context.ts';
import { DomainError } from './domain/errors.ts';
import { graphContext } from './graph/execute.ts';
import { graphDoor } from './graph/yoga.ts';
import { restDoor } from './rest/router.ts';

export interface Parts {
  config: Pick<Config, 'publicUrl' | 'limits'>;
  db: Database;
  storage: Storage;
  log: Logger;
}

/** The one place where everything is wired: the HTTP application. */
export function createApp({ config, db, storage, log }: Parts): Hono {
  const app = new Hono();
  const report = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const graph = graphDoor({ limits: config.limits, report });

  /** Throws UNAUTHENTICATED without a live credential. */
  async function contextOf(headers: Headers, requestId: string): Promise<Context> {
    const viewer = await viewerOfBearer(db, bearerOf(headers.get('authorization')) ?? '');
    if (!viewer)
      throw new DomainError('UNAUTHENTICATED', 'This takes a valid credential: Authorization: Bearer <key>.');
    return { db, storage, viewer, limits: config.limits, requestId };
  }

  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    await db.ping();
    return c.text('ok');
  });
  app.all('/graphql', async (c) => {
    const requestId = randomUUID();
    const wantsPage = c.req.method === 'GET' && c.req.header('accept')?.includes('text/html');
    if (wantsPage) return graph.fetch(c.req.raw);
    try {
      return await graph.fetch(c.req.raw, graphContext(await contextOf(c.req.raw.headers, requestId)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return c.json({ errors: [{ message: error.message, extensions: { code: error.code } }] }, 401, {
        'WWW-Authenticate': 'Bearer',
      });
    }
  });
  app.route(
    '/api/v1',
    restDoor({
      contextOf,
      report,
      newRequestId: randomUUID,
      pageSize: config.limits.pageSize,
      jsonBodyBytes: config.limits.jsonBodyBytes,
    }),
  );
  app.notFound((c) => c.json({ message: 'There is nothing at this address.' }, 404));
  app.onError((error, c) => {
    const requestId = randomUUID();
    report(error, requestId);
    return c.json({ message: 'Something went wrong on our side.', requestId }, 500);
  });
  return app;
}

/** Serves until `close`. Rejects when the address cannot be taken. */
export function listen(app: Hono, { port, host }: { port: number; host: string }) {
  return new Promise<{ port: number; close: () => Promise<void> }>((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (address) =>
      resolve({ port: address.port, close: () => new Promise((done) => server.close(() => done())) }),
    );
    server.once('error', reject);
  });
}
