import { SECOND } from '../../lib/time.ts';

/** 303, so that the browser follows with GET after a POST (RFC 9110 §15.4.4). */
export function seeOther(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** For a person who has tried too often; `wait` is in ms. */
export function waitText(wait: number): string {
  const seconds = Math.ceil(wait / SECOND);
  const time = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts. Try again in ${time}.`;
}

export const retryAfter = (wait: number) => ({ 'Retry-After': `${Math.ceil(wait / SECOND)}` });

/** A file of text, read piece by piece as the receiver takes it. */
export function streamedFile(pieces: AsyncGenerator<string>, name: string, type: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { value, done } = await pieces.next();
      if (done) stream.close();
      else stream.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
