import { TryLater } from '../../lib/fair-slots.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { ByteSource } from '../store/byte-source.ts';
import {
  MAX_OUTPUT,
  NotConvertible,
  type OfficeConverter,
  requireSize,
  TOO_LARGE,
  TOO_LONG,
  UNREADABLE,
} from './converter.ts';

/** `time`: ms for a file; `output`: bytes of its PDF. */
interface GotenbergLimits {
  time: number;
  output: number;
}

const LIMITS: GotenbergLimits = { time: MINUTE, output: MAX_OUTPUT };

/** Another attempt: Gotenberg also answers 503 where it took too long. */
const ONCE = 1;

/** Seconds until a Gotenberg that is not there, busy or set up wrongly is asked again. */
const RETRY_AFTER = 30;

const HEALTH_TIMEOUT = 2 * SECOND;

/** Converts files by the Gotenberg at this address, which the operator set: it may be in a private network. */
export function gotenberg(address: string, own: Partial<GotenbergLimits> = {}): OfficeConverter {
  const limits = { ...LIMITS, ...own };
  const root = address.replace(/\/+$/, '');
  const url = `${root}/forms/libreoffice/convert`;
  let checking: Promise<string | undefined> | undefined;
  return {
    description: 'Gotenberg',
    fault() {
      checking ??= check(`${root}/health`).finally(() => {
        checking = undefined;
      });
      return checking;
    },
    async convert(source, extension, signal) {
      requireSize(source);
      const body = await formOf(source, extension);
      const timeout = AbortSignal.timeout(limits.time);
      const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
      try {
        const response = await fetch(url, { method: 'POST', body, signal: stop, redirect: 'error' });
        return await pdfOf(response, limits.output);
      } catch (error) {
        throw failureOf(error, timeout, signal);
      }
    },
  };
}

async function check(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT);
    const { ok, status, body } = await fetch(url, { signal, redirect: 'error' });
    await body?.cancel();
    return ok ? undefined : `it answers with status ${status}`;
  } catch {
    return 'it cannot be reached';
  }
}

async function formOf({ size, read }: ByteSource, extension: string): Promise<FormData> {
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(await read(0, size - 1))]), `file.${extension}`);
  form.append('updateIndexes', 'false');
  return form;
}

async function pdfOf(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.ok) return readBody(response, most);
  await response.body?.cancel();
  const { status } = response;
  if (status === 400 || status === 422) throw new NotConvertible(UNREADABLE, 0);
  if (status === 413) throw new NotConvertible('It is larger than Gotenberg takes.', 0);
  if (status === 500 || status === 504) throw new NotConvertible('Gotenberg failed to convert it.', ONCE);
  if (status === 503) throw new NotConvertible(TOO_LONG, ONCE);
  throw new TryLater(`Gotenberg answered with status ${status}.`, RETRY_AFTER);
}

async function readBody({ body }: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) throw new NotConvertible(TOO_LARGE, 0);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function failureOf(error: unknown, timeout: AbortSignal, signal?: AbortSignal): unknown {
  if (signal?.aborted || error instanceof NotConvertible || error instanceof TryLater) return error;
  if (timeout.aborted) return new NotConvertible(TOO_LONG, ONCE);
  return Object.assign(new TryLater('Gotenberg cannot be reached.', RETRY_AFTER), { cause: error });
}
