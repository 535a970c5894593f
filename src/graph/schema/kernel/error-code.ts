import { ERROR_CODES } from '../../../domain/kernel/errors.ts';
import { builder } from './builder.ts';

const codes = Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[];

export const ErrorCode = builder.enumType('ErrorCode', {
  description:
    'What went wrong: `extensions.code` of an error. The list is closed; docs/errors.md explains each.',
  values: Object.fromEntries(codes.map((code) => [code, { description: ERROR_CODES[code] }])),
});

/** Some generators write the types only of what an operation selects. */
builder.queryField('errorCodes', (t) =>
  t.field({
    scope: [],
    type: [ErrorCode],
    description:
      'Every code that an error may have. Select it once in an operation, and code generators write the type `ErrorCode`.',
    resolve: () => codes,
  }),
);
