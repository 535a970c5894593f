import { Hono } from 'hono';
import type { OpenApi } from '../lib/openapi.ts';
import { ApiReference } from '../screens/api-reference.tsx';
import { REFERENCE_POLICY } from '../screens/api-reference-style.ts';
import { page } from '../screens/page.ts';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/**
 * The description of REST v1, for programs and for people. It takes no credential: it is the same for everyone, says
 * nothing of anyone's data, and is made once.
 */
export function referenceDoor(describe: () => OpenApi): Hono {
  const app = new Hono();
  const once = memo(() => {
    const description = describe();
    return { json: JSON.stringify(description), html: ApiReference({ description }).toString() };
  });
  app.get('/openapi.json', (call) =>
    call.body(once().json, 200, { ...HEADERS, 'Content-Type': 'application/json' }),
  );
  app.get('/docs', () => page(once().html, { headers: HEADERS, policy: REFERENCE_POLICY }));
  return app;
}

function memo<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
