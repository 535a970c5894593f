import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FairShare, Place } from './fair-share.ts';

export interface ArrivalOptions {
  /** Milliseconds after its headers in which the body of a request arrives. */
  deadline: number;
  /** Requests whose body has not arrived, by network. */
  share: FairShare;
  networkOf: (incoming: IncomingMessage) => string;
  /** Called with the number of requests that wait. */
  onChange: (waiting: number) => void;
}

/** A request as it arrives. */
interface Arrival {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  place: Place | undefined;
}

/**
 * Passes a request on when its body is there, or as much of it as Node buffers: until then it costs a socket and its buffer,
 * and none of the places of requests under way. A body that takes too long is answered with 408, one without a share with 503.
 */
export const afterArrival =
  (listener: RequestListener<typeof IncomingMessage, typeof ServerResponse>, options: ArrivalOptions) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!hasBody(incoming) || isUpload(incoming)) listener(incoming, outgoing);
    else awaitBody(options, { incoming, outgoing, place: undefined }, () => listener(incoming, outgoing));
  };

function awaitBody(
  { deadline, share, networkOf, onChange }: ArrivalOptions,
  arrival: Arrival,
  pass: () => void,
): void {
  const { incoming } = arrival;
  let timer: NodeJS.Timeout | undefined;
  const settle = (act: () => void) => {
    clearImmediate(soon);
    clearTimeout(timer);
    incoming.off('readable', check).off('close', leave);
    arrival.place?.release();
    onChange(share.taken);
    process.nextTick(act); // after Node has noticed that nobody listens to "readable" any more
  };
  const check = () => hasArrived(incoming) && settle(pass);
  const leave = () => settle(() => {});
  // Most bodies come with their headers, and need no share.
  const soon = setImmediate(() => {
    arrival.place = share.take(networkOf(incoming));
    onChange(share.taken);
    if (!arrival.place)
      return settle(() => refuse(arrival, 503, 'Too many requests of your network have not arrived.'));
    timer = setTimeout(
      () => settle(() => refuse(arrival, 408, 'The request took too long to arrive.')),
      deadline,
    );
  });
  incoming.on('readable', check).on('close', leave);
}

/** Node stops to read a body when its buffer is full, until somebody takes the bytes. */
const hasArrived = ({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean =>
  complete || readableLength >= readableHighWaterMark;

/** Whether there is a body to wait for. Of GET and HEAD it is ignored. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Uploads are stored as they arrive, and have a least rate instead of a deadline. */
export const isUpload = ({ url = '' }: { url?: string }): boolean => url.startsWith('/uploads/');

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Retry-After': '5',
  Connection: 'close',
};

/** The application has not seen the request, so that it has no id. */
function refuse({ incoming, outgoing }: Arrival, status: number, reason: string): void {
  if (incoming.destroyed) return;
  const message = `${reason} Try again.`;
  const errors = [{ message, extensions: { code: 'UNAVAILABLE' } }];
  const body = incoming.url?.startsWith('/graphql') ? { errors } : { message };
  outgoing.writeHead(status, HEADERS).end(JSON.stringify(body));
}
