import { readAtMost } from '../lib/http/limited-body.ts';
import { CertificateRevoked } from './answer.ts';

/** Resolves to undefined after any failure but a revoked certificate, and adds it to `problems`: the next address follows. */
export async function tryAt<Answer>(
  url: URL,
  problems: string[],
  act: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CertificateRevoked) throw error;
    const { name, message } = error as Error;
    problems.push(`${url.host}: ${name === 'TimeoutError' ? 'no answer in time' : message}`);
    return undefined;
  }
}

/**
 * Posts an OCSP request (RFC 6960 appendix A.1), or gets a list or a certificate (RFC 5280 §4.2.1.13 and §4.2.2.1). `limit`: bytes
 * of the answer; `timeout`: in ms. Throws for a redirect, any status but 2xx, and a longer answer.
 */
export async function request(
  url: URL,
  limit: number,
  timeout: number,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/ocsp-request' }, body }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`answered with status ${response.status}`);
  return readAtMost(response.body ?? [], limit);
}
