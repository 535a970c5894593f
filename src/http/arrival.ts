import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type FairSlots, leaveTurns } from '../lib/fair-slots.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { FairShare, Slot } from './shares/fair-share.ts';

export interface ArrivalOptions {
  /** Milliseconds after its headers in which the body of a request arrives. */
  deadline: number;
  /** Requests whose body has not arrived, by network. */
  share: FairShare;
  /** Uploads under way, by network. */
  uploads: FairShare;
  /** Uploads that are being opened, by network: from their headers until the application reads their bytes, or answers. */
  openings: FairSlots;
  /** Delays the refusals of requests and uploads for which the share of their network has no slot. */
  refusals: HeldRefusals;
  networkOf: (incoming: IncomingMessage) => string;
  /** Called with the number of requests that wait. */
  onChange: (waiting: number) => void;
  /** Called for each request that is refused here: it is in no log. */
  onRefusal: () => void;
}

/** A request as it arrives. */
interface Arrival {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  slot: Slot | undefined;
}

/**
 * Passes a request on when its body is there, or as much of it as Node buffers: until then it costs a socket and its buffer,
 * and none of the slots of requests under way. A body that takes too long is answered with 408, one without a share with 503.
 */
export const afterArrival =
  (listener: RequestListener<typeof IncomingMessage, typeof ServerResponse>, options: ArrivalOptions) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!hasBody(incoming)) listener(incoming, outgoing);
    else {
      const arrival = { incoming, outgoing, slot: undefined };
      const pass = () => listener(incoming, outgoing);
      if (isUpload(incoming)) admitUpload(options, arrival, pass);
      else awaitBody(options, arrival, pass);
    }
  };

/**
 * An upload that is refused costs little here: a sender that is refused often sends again at once. To open an upload costs more
 * than most requests do. A network opens one at a time, so that a thousand do not delay everybody's requests.
 */
function admitUpload(options: ArrivalOptions, arrival: Arrival, pass: () => void): void {
  const { incoming, outgoing } = arrival;
  const network = options.networkOf(incoming);
  const slot = options.uploads.take(network);
  if (!slot) {
    refuseLater(options, arrival, 'Too many uploads of your network are under way.');
    return;
  }
  outgoing.once('close', () => slot.release());
  options.openings
    .run(network, async () => {
      if (incoming.destroyed) return;
      const opened = isOpened(arrival);
      pass();
      await opened;
      await leaveTurns();
    })
    .catch(() => refuse(options, arrival, 503, 'Too many uploads of your network are being opened.'));
}

/** Milliseconds after which an upload counts as opened: where opening takes long, this process waits for the store. */
const OPENING = 10;

/** Resolves when the application reads the body, or has answered, or the client has left. */
const isOpened = ({ incoming, outgoing }: Arrival): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, OPENING);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.on('newListener', (event) => event === 'readable' && settle());
    outgoing.once('close', settle);
  });

function awaitBody(options: ArrivalOptions, arrival: Arrival, pass: () => void): void {
  const { deadline, share, networkOf, onChange } = options;
  const { incoming } = arrival;
  let timer: NodeJS.Timeout | undefined;
  const settle = (act: () => void) => {
    clearImmediate(soon);
    clearTimeout(timer);
    incoming.off('readable', check).off('close', leave);
    arrival.slot?.release();
    onChange(share.taken);
    process.nextTick(act); // after Node has noticed that nobody listens to "readable" any more
  };
  const check = () => hasArrived(incoming) && settle(pass);
  const leave = () => settle(() => {});
  // Most bodies come with their headers, and need no share.
  const soon = setImmediate(() => {
    arrival.slot = share.take(networkOf(incoming));
    onChange(share.taken);
    if (!arrival.slot)
      return settle(() =>
        refuseLater(options, arrival, 'Too many requests of your network have not arrived.'),
      );
    timer = setTimeout(
      () => settle(() => refuse(options, arrival, 408, 'The request took too long to arrive.')),
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

const refuseLater = (options: ArrivalOptions, arrival: Arrival, reason: string): void =>
  options.refusals.hold(arrival.outgoing, () => refuse(options, arrival, 503, reason));

/** The application has not seen the request, so that it has no id. */
function refuse(
  { onRefusal }: ArrivalOptions,
  { incoming, outgoing }: Arrival,
  status: number,
  reason: string,
): void {
  if (incoming.destroyed) return;
  onRefusal();
  const message = `${reason} Try again.`;
  const errors = [{ message, extensions: { code: 'UNAVAILABLE' } }];
  const body = incoming.url?.startsWith('/graphql') ? { errors } : { message };
  outgoing.writeHead(status, HEADERS).end(JSON.stringify(body));
}
