import { z } from 'zod';

/** A whole number within these bounds, both included. */
export function whole(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const error = `must be a whole number ${range}`;
  return z.coerce.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error });
}

/** Seconds, also parts of one, within these bounds. */
export function seconds(minimum: number, maximum: number) {
  const error = `must be a number from ${minimum} to ${maximum}`;
  return z.coerce.number({ error }).min(minimum, { error }).max(maximum, { error });
}

/** A whole number of at least `minimum`. */
export const count = (fallback: number, minimum = 1) => whole(minimum).default(fallback);

/** A whole number of at least 0; undefined if not set. */
export const optionalCount = whole(0).optional();

/** A URL with one of these protocols (`https:`); `example` is shown in the error. */
export const urlWith = (protocols: string[], example: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL such as ${example}`,
  });

/** `*` or origins separated by commas; undefined stands for any origin. */
export const origins = z
  .string()
  .default('*')
  .transform((text) => (text.trim() === '*' ? undefined : text.split(',').map((each) => each.trim())))
  .refine(
    (list) => list?.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ?? true,
    {
      error: 'must be *, or origins such as https://app.example.com, separated by commas',
    },
  );

/** Days of reminders: the first one, the interval and the last one, such as `5,2,30`; undefined for `off`. */
export const reminderDays = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => (text.trim() === 'off' ? undefined : text.split(',').map(Number)))
    .refine(
      (days) =>
        !days ||
        (days.length === 3 && days.every((each) => Number.isInteger(each) && each > 0 && each <= 365)),
      { error: 'must be off, or days such as 5,2,30: the first, the interval, the last' },
    );

/** Tesseract's language codes separated by commas; `off` for none. */
export const languages = z
  .string()
  .default('eng')
  .transform((text) => (text.trim() === 'off' ? [] : text.split(',').map((each) => each.trim())))
  .refine((codes) => codes.length <= 4 && codes.every((code) => /^[a-z]{3}[a-z_]{0,9}$/.test(code)), {
    error: 'must be off, or up to four languages such as eng,deu',
  });

/** `auto`, `off`, the path of LibreOffice, or the address of Gotenberg. */
export const office = z
  .string()
  .default('auto')
  .transform((text) => text.trim())
  .refine((text) => /^(?:auto|off|\/.+)$/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text)), {
    error: 'must be auto, off, a path such as /usr/bin/soffice, or an address such as http://gotenberg:3000',
  });
