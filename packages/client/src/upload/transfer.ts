import { ConnectionError } from '../errors.ts';
import { isTransient, pause, pauseAfter } from '../http/retry.ts';
import { errorOfResponse, send, type Transport, withTimeout } from '../http/transport.ts';
import type { UploadSource } from './source.ts';

export interface UploadProgress {
  /** Bytes that the server has stored. */
  sent: number;
  /** Bytes in all; undefined for a stream that has not ended. */
  total: number | undefined;
  /** Whether the connection is lost. The upload continues by itself. */
  waiting: boolean;
}

export interface Transfer {
  transport: Transport;
  source: UploadSource;
  /** The URL of the session. */
  url: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Milliseconds without progress after which the upload fails. */
  patience: number;
}

const KIB = 1_024;
const [SMALLEST, FIRST, LARGEST] = [256 * KIB, 1_024 * KIB, 16_384 * KIB];
/** Milliseconds that a chunk should take, so that progress is visible and little is sent twice. */
const [SHORT, LONG] = [1_000, 4_000];
/** Milliseconds within which a chunk has to arrive. */
const CHUNK_TIMEOUT = 120_000;
/** Chunks in a row of which the server stores nothing, before the upload fails. */
const MAX_FRUITLESS = 5;

/** Starts a session at the signed URL of a reservation. Returns the URL of the session. */
export async function startSession(transport: Transport, url: string, signal?: AbortSignal): Promise<string> {
  const headers = { 'x-goog-resumable': 'start' };
  const timed = withTimeout(signal, transport.timeout);
  const response = await send(transport, url, { method: 'PUT', headers, signal: timed });
  const location = response.headers.get('Location');
  if (!response.ok || !location) throw await errorIn(response);
  return new URL(location, url).href;
}

/** Sends what the server does not have yet, across lost connections and restarts of the server. Returns the size in bytes. */
export async function sendBytes(transfer: Transfer, resuming: boolean): Promise<number> {
  const { transport, signal, patience } = transfer;
  const state = { offset: 0, chunk: FIRST, asks: resuming };
  let [failures, fruitless, lastProgress] = [0, 0, Date.now()];
  for (;;) {
    try {
      const { offset: before, asks } = state;
      const size = await step(transfer, state);
      if (size !== undefined) return size;
      if (state.offset > before) [failures, fruitless, lastProgress] = [0, 0, Date.now()];
      else if (!asks) {
        fruitless++;
        throw new ConnectionError('The server answers, but stores nothing of what is sent.');
      }
    } catch (error) {
      const wait = pauseAfter(error, Math.min(++failures, 20), transport.retry);
      const isOver = fruitless >= MAX_FRUITLESS || Date.now() + wait - lastProgress > patience;
      if (signal?.aborted || !isTransient(error) || isOver) throw error;
      transfer.onProgress?.({ sent: state.offset, total: transfer.source.size, waiting: true });
      state.asks = true;
      state.chunk = FIRST;
      await pause(wait, signal, true);
    }
  }
}

interface State {
  offset: number;
  /** Bytes of the next chunk. */
  chunk: number;
  /** Whether the server has to say first how much it has. */
  asks: boolean;
}

/** One request. Returns the size once all is stored. */
async function step(transfer: Transfer, state: State): Promise<number | undefined> {
  const { source, onProgress } = transfer;
  const body = state.asks ? undefined : await source.read(state.offset, state.chunk);
  const length = !body ? 0 : body instanceof Blob ? body.size : body.length;
  const end = state.offset + length;
  if (body && length === 0 && end < (source.size ?? end))
    throw new Error('The source ended before its size.');
  const total = source.size ?? (body && length < state.chunk ? end : undefined);
  const range = length > 0 ? `${state.offset}-${end - 1}` : '*';
  const begin = Date.now();
  const stored = await put(transfer, `bytes ${range}/${total ?? '*'}`, length > 0 ? body : undefined);
  state.asks = false;
  if (length > 0) state.chunk = nextChunk(state.chunk, Date.now() - begin);
  state.offset = stored.size;
  onProgress?.({ sent: stored.size, total: stored.complete ? stored.size : source.size, waiting: false });
  return stored.complete ? stored.size : undefined;
}

function nextChunk(size: number, milliseconds: number): number {
  if (milliseconds < SHORT) return Math.min(LARGEST, size * 2);
  return milliseconds > LONG ? Math.max(SMALLEST, size / 2) : size;
}

/** Sends a chunk, or asks for the status. The answer is 308 with the stored range until all is stored. */
async function put({ transport, url, signal }: Transfer, range: string, body?: Blob | Uint8Array) {
  const response = await send(transport, url, {
    method: 'PUT',
    headers: { 'Content-Range': range },
    body: body as BodyInit | undefined,
    signal: withTimeout(signal, CHUNK_TIMEOUT),
  });
  if (response.status === 308) {
    const last = /-(\d+)$/.exec(response.headers.get('Range') ?? '')?.[1];
    return { size: last === undefined ? 0 : Number(last) + 1, complete: false };
  }
  if (!response.ok) throw await errorIn(response);
  const { size } = (await response.json()) as { size: number };
  return { size, complete: true };
}

/** 500 is a failure of the moment here, as 408 and other 5xx are: the bytes that were stored stay. */
async function errorIn(response: Response): Promise<Error> {
  const error = await errorOfResponse(response);
  return response.status === 500 ? new ConnectionError(error.message, { cause: error }) : error;
}
