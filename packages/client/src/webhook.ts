/** A delivery that is not genuine, or too old. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

export interface WebhookOptions {
  /** Seconds that the time of the signature may differ from now; 300 by default. */
  tolerance?: number;
}

/** A request of the Fetch API, or what a server of another kind has of it: the headers and the body as received. */
export type WebhookRequest =
  | Request
  | { headers: Headers | Record<string, string | string[] | undefined>; body: string | Uint8Array };

/** The body of a delivery. */
export interface WebhookEvent<Data = unknown> {
  /** The same in repeated deliveries. */
  id: string;
  webhookId: string;
  organizationId: string;
  /** Events of an organization are numbered without gaps. */
  sequence: number;
  /** Such as `task.completed`. */
  kind: string;
  createdAt: string;
  /** The result of the query of the webhook. */
  data: Data;
}

/**
 * Checks the signature of a delivery, and returns its body. `secret` is that of the webhook; several while one is
 * being replaced. Throws WebhookError, and TypeError for a secret that is missing. Comparison in constant time is that of WebCrypto.
 */
export async function verifyWebhook<Data = unknown>(
  request: WebhookRequest,
  secret: string | readonly string[],
  { tolerance = 300 }: WebhookOptions = {},
): Promise<WebhookEvent<Data>> {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((each) => !each)) throw new TypeError('The secret is missing.');
  const header = headerOf(request, 'docgraph-signature');
  if (!header) throw new WebhookError('The request has no Docgraph-Signature.');
  const { time, signatures } = partsOf(header);
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) <= tolerance))
    throw new WebhookError('The signature is too old, or the clock of this machine is wrong.');
  const body = await bytesOf(request);
  const signed = concat(new TextEncoder().encode(`${time}.`), body);
  for (const each of secrets)
    if (await isSignedWith(each, signed, signatures)) return JSON.parse(new TextDecoder().decode(body));
  throw new WebhookError('The signature is not one of this secret.');
}

type Bytes = Uint8Array<ArrayBuffer>;

async function isSignedWith(secret: string, signed: Bytes, signatures: readonly Bytes[]): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ]);
  const results = await Promise.all(
    signatures.map((each) => crypto.subtle.verify('HMAC', key, each, signed)),
  );
  return results.includes(true);
}

/** `t=<Unix seconds>,v1=<hex>`, with two `v1` while a secret is being replaced. */
function partsOf(header: string): { time: string; signatures: Bytes[] } {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const hex = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value);
  const isHex = (text: string) => /^[0-9a-f]{64}$/.test(text);
  return { time: /^\d+$/.test(time) ? time : 'none', signatures: hex.filter(isHex).map(bytesOfHex) };
}

const bytesOfHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value.join(',') : value;
}

async function bytesOf(request: WebhookRequest): Promise<Bytes> {
  if (request instanceof Request) return new Uint8Array(await request.arrayBuffer());
  const { body } = request;
  return typeof body === 'string' ? new TextEncoder().encode(body) : Uint8Array.from(body);
}

function concat(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
