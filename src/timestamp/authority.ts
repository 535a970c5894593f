import { randomBytes } from 'node:crypto';
import { child, children, readElement, TAG } from '../lib/der.js';
import { readAtMost } from '../lib/http/limited-body.ts';
import { toHex } from '../lib/text/hex.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Certificate } from '../verify/certificate.js';
import { nodeSuite } from '../verify/node-suite.ts';
import { checkToken, type Stamp } from '../verify/time-stamp.js';

/** A time-stamp token in DER, and what it says. */
export type StampedToken = Stamp & { token: Uint8Array<ArrayBuffer> };

/** Gives a digest a time-stamp. */
export type TimeStamper = (digest: Uint8Array) => Promise<StampedToken>;

export interface AuthoritySettings {
  /** Addresses of authorities, the preferred one first; user and password may be in them. */
  urls: readonly string[];
  /** Roots under which a certificate must be; empty if any is accepted. */
  roots: readonly Certificate[];
  /** In ms; 10 seconds by default. */
  timeout?: number;
}

/** Milliseconds in which an authority must have answered. */
const TIMEOUT = 10 * SECOND;

/** How far the clock of an authority may be from that of this machine, in ms. */
const CLOCK_TOLERANCE = 5 * MINUTE;

/** Bytes of an answer. Tokens of commercial authorities have 4 to 7 KB. */
const MAX_ANSWER = 64 * 2 ** 10;

/** Milliseconds for which an authority that did not answer in time is not asked again: each try would take as long. */
const PAUSE = MINUTE;

/** No authority gave a time-stamp; the message has why, by host. */
class NoTimeStamp extends Error {}

/** Asks each authority in turn, a single one twice, until one gives a valid token (RFC 3161 §3.4). Throws NoTimeStamp. */
export function timeStamper(settings: AuthoritySettings): TimeStamper {
  const { urls } = settings;
  const tries = urls.length === 1 ? [...urls, ...urls] : urls;
  const pausedUntil = new Map<string, number>();
  return async (digest) => {
    const isPaused = (url: string) => performance.now() < (pausedUntil.get(url) ?? 0);
    const problems = urls
      .filter(isPaused)
      .map((url) => `${new URL(url).host}: no answer within the last minute`);
    for (const url of tries.filter((each) => !isPaused(each))) {
      try {
        return await askFor(digest, new URL(url), settings);
      } catch (error) {
        if (isTimeout(error)) pausedUntil.set(url, performance.now() + PAUSE);
        problems.push(`${new URL(url).host}: ${reasonOf(error)}`);
      }
    }
    throw new NoTimeStamp(`No time-stamp was given. ${problems.join('; ')}`);
  };
}

const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError';

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  if (isTimeout(error)) return 'no answer in time';
  return cause instanceof Error ? `${message} (${cause.message})` : message;
};

async function askFor(digest: Uint8Array, url: URL, settings: AuthoritySettings): Promise<StampedToken> {
  const nonce = newNonce();
  const token = tokenOf(await post(url, timeStampRequest(digest, nonce), settings.timeout ?? TIMEOUT));
  const stamp = await checkToken(nodeSuite, token, digest, settings.roots);
  if (stamp.nonce !== toHex(nonce)) throw new Error('answered another request');
  if (Math.abs(stamp.time.getTime() - Date.now()) > CLOCK_TOLERANCE)
    throw new Error(`its clock says ${stamp.time.toISOString()}`);
  if (settings.roots.length > 0 && !stamp.isTrusted)
    throw new Error('its certificate is not under a root of TSA_TRUST');
  return { ...stamp, token };
}

/** 8 bytes that are a positive INTEGER in DER as they are. */
function newNonce(): Uint8Array {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] as number) & 0x3f) | 0x40;
  return nonce;
}

/** TimeStampReq in DER (RFC 3161 §2.4.1): version 1, a SHA-256 digest, the nonce, and the certificate wanted in the answer. */
const timeStampRequest = (digest: Uint8Array, nonce: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...Buffer.from('30430201013031300d060960864801650304020105000420', 'hex'),
    ...digest,
    ...Buffer.from('0208', 'hex'),
    ...nonce,
    ...Buffer.from('0101ff', 'hex'),
  ]);

async function post(url: URL, body: Uint8Array<ArrayBuffer>, timeout: number): Promise<Uint8Array> {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', ...authorization(url) },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`answered with status ${response.status}`);
  return readAtMost(response.body ?? [], MAX_ANSWER);
}

function authorization({ username, password }: URL): { authorization?: string } {
  if (!username) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The token of a TimeStampResp (RFC 3161 §2.4.2), whose status must be granted (0), or granted with changes (1). */
function tokenOf(answer: Uint8Array): Uint8Array<ArrayBuffer> {
  const [status, token] = children(readElement(answer));
  if (!status) throw new Error('answered with something else than a time-stamp');
  const code = toHex(child(status, 0, TAG.integer).content);
  if (code !== '00' && code !== '01')
    throw new Error(`refused the request with status ${Number(`0x${code}`)}`);
  if (!token) throw new Error('answered without a token');
  return Uint8Array.from(token.bytes);
}
