// @ts-nocheck: this file runs in browsers, and the project has no types for them.
import { createClient } from 'graphql-sse';

const ACCEPT = 'application/graphql-response+json, application/json';

/** Sends operations to `url`, with the session of who is signed in: subscriptions by server-sent events. */
export function fetcher(url) {
  return ({ query, variables, operationName }, { headers, documentAST } = {}) =>
    isSubscription(documentAST, operationName)
      ? createClient({ url, headers: headers ?? {}, credentials: 'same-origin' }).iterate({
          query,
          variables,
          operationName,
        })
      : send(url, { query, variables, operationName }, headers);
}

/** Sends an operation, and returns its result. */
export async function send(url, operation, headers) {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', Accept: ACCEPT, ...headers },
    body: JSON.stringify(operation),
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The server answered ${response.status} without JSON.`);
  }
}

const isSubscription = (document, operationName) =>
  document?.definitions.some(
    ({ kind, operation, name }) =>
      kind === 'OperationDefinition' &&
      operation === 'subscription' &&
      (!operationName || name?.value === operationName),
  ) ?? false;
