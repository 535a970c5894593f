import type { Context as Call } from 'hono';
import type { Database } from '../../db/database.ts';
import { findLogo } from '../../domain/oauth/client.ts';
import { typeOfId } from '../../lib/id.ts';

/** `GET /oauth/logos/{clientId}`: the logo of an application, for anyone. With its hash in `v` it may be cached for ever. */
export async function logoResponse(db: Database, call: Call): Promise<Response> {
  const id = call.req.param('clientId') ?? '';
  const logo = typeOfId(id) === 'Client' ? await findLogo(db, id) : undefined;
  if (!logo) return call.text('There is no such logo.', 404, { 'Cache-Control': 'no-store' });
  const etag = `"${logo.hash}"`;
  const headers = {
    ETag: etag,
    'Cache-Control':
      call.req.query('v') === logo.hash ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (call.req.header('if-none-match') === etag) return call.body(null, 304, headers);
  return call.body(logo.image, 200, { ...headers, 'Content-Type': 'image/webp' });
}
