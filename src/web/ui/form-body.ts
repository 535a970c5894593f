import type { Context as Call } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { DomainError } from '../../domain/kernel/errors.ts';

const MAX_FORM_BYTES = 16 * 2 ** 10;

/** Middleware that refuses a form of more than 16 KiB. */
export const formLimit = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new DomainError('TOO_LARGE', 'The form is too large.');
  },
});

/** The fields of a form. Throws BAD_USER_INPUT for a body of another type. */
export async function formOf(call: Call): Promise<URLSearchParams> {
  const type = call.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new DomainError('BAD_USER_INPUT', 'The body must be a form (application/x-www-form-urlencoded).');
  return new URLSearchParams(await call.req.text());
}
