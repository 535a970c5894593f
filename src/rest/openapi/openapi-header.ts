import type { Parameter } from '../../lib/openapi.ts';
import type { Route } from '../wire/route.ts';

/** Headers have no examples: pages that send requests would fill them in, and so send a foreign version or a used key. */
const header = (name: string, description: string, schema: object = {}): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

const IF_NONE_MATCH = header(
  'If-None-Match',
  'The ETag of a response that you have. If the response would be the same, the status is 304 and the body is empty.',
);

const IF_MATCH = header(
  'If-Match',
  'The ETag of the object as you read it: the change is made only if the object still has that version. Its weak form (`W/"…"`), as proxies that compress write it, is the same version. Without this header the last change wins.',
);

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A unique text that you choose, such as a UUID. If the same request is sent again with the same key, it is executed once and the first response is returned again.',
  { maxLength: 255 },
);

/** The header parameters of a route. */
export function headerParameters({ method, operations }: Route): Parameter[] {
  if (method === 'GET') return !operations.writes ? [IF_NONE_MATCH] : [];
  return operations.takesVersion ? [IF_MATCH, IDEMPOTENCY_KEY] : [IDEMPOTENCY_KEY];
}
