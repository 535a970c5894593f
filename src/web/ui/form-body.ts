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

const MAX_LONG_FORM_BYTES = 300 * 2 ** 10;

/** Middleware that refuses a form of many fields of more than 300 KiB. */
export const longFormLimit = bodyLimit({
  maxSize: MAX_LONG_FORM_BYTES,
  onError: () => {
    throw new DomainError('TOO_LARGE', 'The form is too large.');
  },
});

/** Of a form with a file, in bytes. */
const MAX_FILE_FORM_BYTES = 300 * 2 ** 10;

/** Middleware that refuses a form with a file of more than 300 KiB. */
export const fileFormLimit = bodyLimit({
  maxSize: MAX_FILE_FORM_BYTES,
  onError: () => {
    throw new DomainError('TOO_LARGE', 'The file is too large.');
  },
});

/**
 * The fields of a form with files, each of which is in base64; an empty file, which a browser sends for none, is an empty text.
 * Throws BAD_USER_INPUT for a body of another type.
 */
export async function fileFormOf(call: Call): Promise<URLSearchParams> {
  if (!/^multipart\/form-data\s*;/i.test(call.req.header('content-type') ?? ''))
    throw new DomainError('BAD_USER_INPUT', 'The body must be a form (multipart/form-data).');
  const form = await call.req.formData().catch((cause) => {
    throw new DomainError('BAD_USER_INPUT', 'The form is malformed.', { cause });
  });
  const fields = new URLSearchParams();
  for (const [name, value] of form)
    fields.append(
      name,
      typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64'),
    );
  return fields;
}

/** The fields of a form. Throws BAD_USER_INPUT for a body of another type. */
export async function formOf(call: Call): Promise<URLSearchParams> {
  const type = call.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new DomainError('BAD_USER_INPUT', 'The body must be a form (application/x-www-form-urlencoded).');
  return new URLSearchParams(await call.req.text());
}
