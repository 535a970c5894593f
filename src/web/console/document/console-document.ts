import type { ConsoleDocumentQuery } from '../../../generated/operations/graphql.ts';

/** A document as its page reads it. */
export type ConsoleDocument = NonNullable<ConsoleDocumentQuery['document']>;
