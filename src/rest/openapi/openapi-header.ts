import type { Parameter } from '../../lib/openapi.ts';
import type { Route } from '../wire/route.ts';

const header = (name: string, description: string, example: string, schema: object = {}): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
  example,
});

const IF_NONE_MATCH = header(
  'If-None-Match',
  'The ETag of an answer that you have; while it would be the same, there is a 304 and no body.',
  '"tsk_01k9czhv7gqyd0yj0yk8wz1hm6.3.yV0x5mVdOtdnlKfW"',
);

const IF_MATCH = header(
  'If-Match',
  'The ETag of what you saw: it is changed only while it is in that version. Without it the last change wins.',
  '"tsk_01k9czhv7gqyd0yj0yk8wz1hm6.3.yV0x5mVdOtdnlKfW"',
);

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A new text of your own, for instance a UUID: sent again with the same request, nothing is done twice and the first answer comes again.',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  { maxLength: 255 },
);

/** The header parameters of a route. */
export function headerParameters({ method, operations }: Route): Parameter[] {
  if (method === 'GET') return operations.scope === 'read' ? [IF_NONE_MATCH] : [];
  return operations.takesVersion ? [IF_MATCH, IDEMPOTENCY_KEY] : [IDEMPOTENCY_KEY];
}
