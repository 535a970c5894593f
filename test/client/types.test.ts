import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type Client,
  type DocgraphError,
  type ErrorCode,
  type NotFoundError,
  type OAuthErrorCode,
  type Subscription,
  verifyWebhook,
} from '../../packages/client/src/index.ts';
import { ListCommentsDocument, type ListCommentsQuery } from '../../src/generated/operations/graphql.ts';
import type { OAuthErrorCode as ServerCode } from '../../src/oauth/errors.ts';

// Checked by tsc, not run.
declare const client: Client;
declare const NODE: TypedDocumentNode<{ viewer: { name: string } }, { first?: number | null }>;
declare const WITHOUT_VARIABLES: TypedDocumentNode<{ viewer: { name: string } }, { [key: string]: never }>;
declare const REQUIRED: TypedDocumentNode<{ project: { name: string } }, { id: string }>;

describe('the types', () => {
  it('of a TypedDocumentString are those of its operation', () => {
    const run = (variables: Parameters<NonNullable<typeof ListCommentsDocument.__apiType>>[0]) =>
      client.request(ListCommentsDocument, variables);
    expectTypeOf<ReturnType<typeof run>>().resolves.toEqualTypeOf<ListCommentsQuery>();
  });

  it('of a TypedDocumentNode are those of its operation', () => {
    const run = () => client.request(NODE, { first: 3 });
    expectTypeOf<ReturnType<typeof run>>().resolves.toEqualTypeOf<{ viewer: { name: string } }>();
  });

  it('let variables be omitted only where none is required', () => {
    const calls = () => [
      client.request(NODE),
      client.request(WITHOUT_VARIABLES),
      client.request(WITHOUT_VARIABLES, {}, { signal: AbortSignal.timeout(1) }),
      client.request(REQUIRED, { id: 'x' }),
      // @ts-expect-error the variable is required
      client.request(REQUIRED),
      // @ts-expect-error the variable has another type
      client.request(REQUIRED, { id: 7 }),
      // @ts-expect-error there is no such variable
      client.request(REQUIRED, { id: 'x', other: 1 }),
    ];
    expectTypeOf(calls).toBeFunction();
  });

  it('of a text are those that the caller names', () => {
    const typed = () => client.request<{ a: number }>('{ a }');
    expectTypeOf<ReturnType<typeof typed>>().resolves.toEqualTypeOf<{ a: number }>();
    const untyped = () => client.request('{ a }', { x: 1 });
    expectTypeOf<ReturnType<typeof untyped>>().resolves.toBeUnknown();
  });

  it('of a subscription are those of its results', () => {
    const follow = () => client.subscribe(REQUIRED, { id: 'x' });
    expectTypeOf<ReturnType<typeof follow>>().toEqualTypeOf<Subscription<{ project: { name: string } }>>();
  });

  it('of an error narrow with its class', () => {
    expectTypeOf<NotFoundError['code']>().toEqualTypeOf<'NOT_FOUND'>();
    expectTypeOf<DocgraphError['code']>().toEqualTypeOf<ErrorCode>();
  });

  it('of the errors of OAuth have all codes of the server', () => {
    expectTypeOf<ServerCode>().toExtend<OAuthErrorCode>();
    type OfTheClient = 'invalid_issuer' | 'invalid_response' | 'invalid_state';
    expectTypeOf<Exclude<OAuthErrorCode, ServerCode>>().toEqualTypeOf<OfTheClient>();
  });

  it('of a webhook are those of its selection', () => {
    const verify = (request: Request) => verifyWebhook<{ subject: { id: string } }>(request, 'x');
    expectTypeOf<Awaited<ReturnType<typeof verify>>['data']>().toEqualTypeOf<{ subject: { id: string } }>();
  });
});
