import { authorizedFetch } from './graph/authorized-fetch.ts';
import { type TypedDocument, textOf } from './graph/document.ts';
import { type RequestOptions, runOperation } from './graph/request.ts';
import { Subscription, type SubscriptionOptions } from './graph/subscription.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './http/retry.ts';
import type { Credential, Transport } from './http/transport.ts';
import { type UploadedDocument, type UploadInput, type UploadOptions, upload } from './upload/upload.ts';

export interface ClientOptions {
  /** The address of the server, such as `https://docgraph.example.com`. */
  url: string;
  /** An API key or access token, or what returns one. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The sign-in of a person: an `OAuth`. */
  oauth?: Credential | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  /** Milliseconds within which the server has to answer; 30 seconds by default. */
  timeout?: number | undefined;
  fetch?: typeof fetch | undefined;
}

/** The variables may be omitted where none is required. */
type OperationParameters<Variables, Options> =
  Record<string, never> extends Variables
    ? [variables?: NoInfer<Variables>, options?: Options]
    : [variables: NoInfer<Variables>, options?: Options];

export interface Client {
  /** Runs a query or mutation. Throws the error class of the code if the server refuses any part of it. */
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...parameters: OperationParameters<Variables, RequestOptions>
  ): Promise<Result>;
  request<Result = unknown>(
    text: string,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Result>;
  /** Follows a subscription: `for await (const result of client.subscribe(…))`. */
  subscribe<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...parameters: OperationParameters<Variables, SubscriptionOptions>
  ): Subscription<Result>;
  subscribe<Result = unknown>(
    text: string,
    variables?: Record<string, unknown>,
    options?: SubscriptionOptions,
  ): Subscription<Result>;
  /** Uploads a file, which becomes a document. */
  upload(input: UploadInput, options: UploadOptions): Promise<UploadedDocument>;
  /** `fetch` with the credential and the retries, for REST v1 and for other GraphQL clients. */
  fetch: typeof fetch;
}

/** A client of one server. */
export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options);
  return {
    request: (document: unknown, variables?: unknown, requestOptions?: RequestOptions) =>
      runOperation(transport, textOf(document), variables, requestOptions) as Promise<never>,
    subscribe: (document: unknown, variables?: unknown, subscriptionOptions?: SubscriptionOptions) =>
      new Subscription<never>(transport, textOf(document), variables, subscriptionOptions),
    upload: (input, uploadOptions) => upload(transport, input, uploadOptions),
    fetch: authorizedFetch(transport),
  };
}

const transportOf = ({
  url,
  token,
  oauth,
  retry,
  timeout = 30_000,
  fetch: custom,
}: ClientOptions): Transport => ({
  url: url.replace(/\/+$/, ''),
  // A browser's `fetch` has to be called as that of its window.
  fetch: custom ?? ((...call) => fetch(...call)),
  credential: oauth ?? { current: async () => (typeof token === 'function' ? token() : token) },
  retry: { ...DEFAULT_RETRY, ...retry },
  timeout,
});
