import { createHmac } from 'node:crypto';

export interface Secrets {
  secret: string;
  previousSecret: string | null;
  previousSecretExpiresAt: Date | null;
}

/**
 * The header Docgraph-Signature: `t=<Unix seconds>,v1=<hex>`, with HMAC-SHA-256 of `<t>.<raw body>`. While two secrets are
 * valid there is a v1 of each, so that a receiver can change from one to the other at any time.
 */
export function signatureOf(hook: Secrets, body: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1_000);
  const { secret, previousSecret, previousSecretExpiresAt: end } = hook;
  const validSecrets = previousSecret && end && end > now ? [secret, previousSecret] : [secret];
  const signatures = validSecrets.map(
    (each) => `v1=${createHmac('sha256', each).update(`${t}.${body}`).digest('hex')}`,
  );
  return [`t=${t}`, ...signatures].join(',');
}
