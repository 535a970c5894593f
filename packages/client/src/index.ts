// What the package exports.
export { type Client, type ClientOptions, createClient } from './client.ts';
export * from './errors.ts';
export type { TypedDocument } from './graph/document.ts';
export type { RequestOptions } from './graph/request.ts';
export type { Subscription, SubscriptionOptions } from './graph/subscription.ts';
export type { RetryPolicy } from './http/retry.ts';
export { errorOfResponse } from './http/transport.ts';
export { OAuth, type OAuthOptions } from './oauth/oauth.ts';
export { OAuthError, type OAuthErrorCode } from './oauth/token-response.ts';
export {
  memoryTokens,
  storedTokens,
  type TextStorage,
  type TokenStore,
  type Tokens,
} from './oauth/tokens.ts';
export type { UploadInput, UploadSource } from './upload/source.ts';
export type { UploadProgress } from './upload/transfer.ts';
export type { UploadedDocument, UploadOptions, UploadSession } from './upload/upload.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookOptions,
  type WebhookRequest,
} from './webhook.ts';
