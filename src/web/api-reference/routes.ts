import { type Context, Hono } from 'hono';
import type { OpenApi } from '../../lib/openapi.ts';
import { CompressedText } from '../ui/compressed-text.ts';
import { page } from '../ui/page.ts';
import { REFERENCE_POLICY } from './style.ts';
import { ApiReference } from './view.tsx';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/**
 * The description of REST v1: OpenAPI for programs, and the API reference for people. Public, as it contains no data of
 * any user; created once.
 */
export function apiReferenceRouter(describe: () => OpenApi): Hono {
  const app = new Hono();
  const description = memo(describe);
  const json = memo(async () => {
    const headers = { ...HEADERS, 'Content-Type': 'application/json' };
    return new CompressedText(JSON.stringify(description()), headers);
  });
  const html = memo(async () => {
    const content = ApiReference({ description: description() });
    const response = page(content, { headers: HEADERS, policy: REFERENCE_POLICY });
    return new CompressedText(await response.text(), Object.fromEntries(response.headers));
  });
  const respond = (text: () => Promise<CompressedText>) => async (call: Context) =>
    (await text()).respond(call.req.header('accept-encoding'));
  app.get('/openapi.json', respond(json));
  app.get('/docs', respond(html));
  return app;
}

function memo<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
