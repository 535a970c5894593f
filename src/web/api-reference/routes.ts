import { type Context, Hono } from 'hono';
import type { OpenApi } from '../../lib/openapi.ts';
import { CompressedText } from '../ui/packed-text.ts';
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
    const whole = page(content, { headers: HEADERS, policy: REFERENCE_POLICY });
    return new CompressedText(await whole.text(), Object.fromEntries(whole.headers));
  });
  const answer = (text: () => Promise<CompressedText>) => async (call: Context) =>
    (await text()).respond(call.req.header('accept-encoding'));
  app.get('/openapi.json', answer(json));
  app.get('/docs', answer(html));
  return app;
}

function memo<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
