import type { DomainError } from '../../../domain/kernel/errors.ts';
import { builder } from './builder.ts';
import { ErrorCode } from './error-code.ts';

export const BatchErrorPolicy = builder.enumType('BatchErrorPolicy', {
  description: 'What becomes of a batch of which an item fails.',
  values: {
    REJECT_ALL: { description: 'Nothing is changed, and the error of that item fails the mutation.' },
    SKIP_FAILED: {
      description:
        'All other items are changed, in one transaction; `results` says why an item was left out. What no item is the reason of still fails the mutation.',
    },
  } as const,
});

/** Not the error itself: a value that is an Error fails its field. */
type BatchError = Pick<DomainError, 'code' | 'message' | 'at'>;

const BatchError = builder.objectRef<BatchError>('BatchError').implement({
  description: 'Why an item of a batch was left out.',
  fields: (t) => ({
    code: t.field({ type: ErrorCode, description: 'What went wrong.', resolve: ({ code }) => code }),
    message: t.exposeString('message', { description: 'The reason, for people.' }),
    at: t.string({
      nullable: true,
      description: 'The path of the value in the input, such as `folders.2.name`.',
      resolve: ({ at }) => at,
    }),
  }),
});

/** error: undefined for an item that was changed. */
interface BatchResult {
  error: BatchError | undefined;
}

export const BatchResult = builder.objectRef<BatchResult>('BatchResult').implement({
  description: 'What became of one item of a batch.',
  fields: (t) => ({
    error: t.field({
      type: BatchError,
      nullable: true,
      description: 'Why it was left out; null if it was changed.',
      resolve: ({ error }) => error,
    }),
  }),
});

export const batchResult = (failure: DomainError | undefined): BatchResult => ({
  error: failure && { code: failure.code, message: failure.message, at: failure.at },
});
