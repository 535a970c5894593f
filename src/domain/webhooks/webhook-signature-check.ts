import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { findWebhooks } from './webhook.ts';
import { openSecrets } from './webhook-payload.ts';
import type { Secrets } from './webhook-signature.ts';

/**
 * MALFORMED: the header is not `t=…,v1=…`. REFORMATTED: the signature is that of a body with the same content, but other bytes.
 * OTHER_WEBHOOK: the body names another webhook. MISMATCH: another secret, or another body.
 */
type SignatureResult = 'VALID' | 'MALFORMED' | 'REFORMATTED' | 'OTHER_WEBHOOK' | 'MISMATCH';

export interface SignatureCheck {
  result: SignatureResult;
  /** Which secret signed; null for none of this webhook. */
  secret: 'CURRENT' | 'PREVIOUS' | null;
  /** The time of the header; null for a malformed one. */
  signedAt: Date | null;
  /** Whether a receiver with the usual tolerance would accept it now. */
  isRecent: boolean;
}

const TOLERANCE = 5 * MINUTE;

/** Checks what a receiver got, as a receiver does. The secrets stay here. Throws NOT_FOUND. */
export async function checkSignature(
  ctx: Context,
  webhookId: string,
  { signature, body }: { signature: string; body: string },
): Promise<SignatureCheck> {
  const [visible] = await findWebhooks(ctx, [webhookId]);
  if (!visible) throw notFound('Webhook', 'webhookId');
  const hook = await ctx.db.prisma.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  return resultOf(signature, body, { ...openSecrets(ctx, hook), webhookId, now: new Date() });
}

interface Receiver extends Secrets {
  webhookId: string;
  now: Date;
}

/** What is wrong with a signature, the most specific reason first. */
function resultOf(header: string, body: string, { now, ...receiver }: Receiver): SignatureCheck {
  const parsed = parseHeader(header);
  if (!parsed) return { result: 'MALFORMED', secret: null, signedAt: null, isRecent: false };
  const signedAt = new Date(Number(parsed.t) * SECOND);
  const isRecent = Math.abs(now.getTime() - signedAt.getTime()) <= TOLERANCE;
  return { ...compare(parsed, body, receiver), signedAt, isRecent };
}

function compare(
  parsed: Parsed,
  body: string,
  { webhookId, ...secrets }: Omit<Receiver, 'now'>,
): Pick<SignatureCheck, 'result' | 'secret'> {
  const secret = signer(parsed, body, secrets);
  if (secret) return { result: 'VALID', secret };
  const json = parseJson(body) as { webhookId?: unknown } | null | undefined;
  const named = json?.webhookId;
  if (typeof named === 'string' && named !== webhookId) return { result: 'OTHER_WEBHOOK', secret: null };
  const original = json === undefined ? undefined : signer(parsed, JSON.stringify(json), secrets);
  return original ? { result: 'REFORMATTED', secret: original } : { result: 'MISMATCH', secret: null };
}

interface Parsed {
  t: string;
  signatures: Buffer[];
}

const MAX_HEADER = 1_000;

function parseHeader(header: string): Parsed | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const parts = header.split(',').map((part) => part.trim().split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts
    .filter(([name, value = '']) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .map(([, value = '']) => Buffer.from(value, 'hex'));
  return /^\d{1,11}$/.test(t) && signatures.length > 0 ? { t, signatures } : undefined;
}

/** The previous secret signs until it ends: what it signed later is of somebody else. */
function signer(
  parsed: Parsed,
  body: string,
  { secret, previousSecret, previousSecretExpiresAt: end }: Secrets,
): SignatureCheck['secret'] {
  if (isSigned(parsed, body, secret)) return 'CURRENT';
  const hadEnded = !end || Number(parsed.t) * SECOND >= end.getTime();
  return previousSecret !== null && !hadEnded && isSigned(parsed, body, previousSecret) ? 'PREVIOUS' : null;
}

function isSigned({ t, signatures }: Parsed, body: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  return signatures.some((each) => timingSafeEqual(each, expected));
}

/** The value of a JSON text; undefined for another text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
