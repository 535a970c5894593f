import { type Context, Hono } from 'hono';
import type { OpenApi } from '../../lib/openapi.ts';
import { PackedText } from '../ui/packed-text.ts';
import { page } from '../ui/page.ts';
import { REFERENCE_POLICY } from './style.ts';
import { ApiReference } from './view.tsx';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/**
 * The description of REST v1, for programs and for people. It takes no credential: it is the same for everyone, says
 * nothing of anyone's data, and is made once.
 */
export function apiReferenceRouter(describe: () => OpenApi): Hono {
  const app = new Hono();
  const description = memo(describe);
  const json = memo(async () => {
    const headers = { ...HEADERS, 'Content-Type': 'application/json' };
    return new PackedText(JSON.stringify(description()), headers);
  });
  const html = memo(async () => {
    const content = ApiReference({ description: description() });
    const whole = page(content, { headers: HEADERS, policy: REFERENCE_POLICY });
    return new PackedText(await whole.text(), Object.fromEntries(whole.headers));
  });
  const answer = (text: () => Promise<PackedText>) => async (call: Context) =>
    (await text()).answer(call.req.header('accept-encoding'));
  app.get('/openapi.json', answer(json));
  app.get('/docs', answer(html));
  return app;
}

function memo<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
