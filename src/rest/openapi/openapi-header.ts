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
  'The ETag of a response that you have. If the response would be the same, the status is 304 and the body is empty.',
  '"tsk_01k9vpvr0qq4e5k8ssvcw4xt7t.3.yV0x5mVdOtdnlKfW"',
);

const IF_MATCH = header(
  'If-Match',
  'The ETag of the object as you read it: the change is made only if the object still has that version. Without this header the last change wins.',
  '"tsk_01k9vpvr0qq4e5k8ssvcw4xt7t.3.yV0x5mVdOtdnlKfW"',
);

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A unique text that you choose, such as a UUID. If the same request is sent again with the same key, it is executed once and the first response is returned again.',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
  { maxLength: 255 },
);

/** The header parameters of a route. */
export function headerParameters({ method, operations }: Route): Parameter[] {
  if (method === 'GET') return operations.scope === 'read' ? [IF_NONE_MATCH] : [];
  return operations.takesVersion ? [IF_MATCH, IDEMPOTENCY_KEY] : [IDEMPOTENCY_KEY];
}
