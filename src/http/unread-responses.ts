import type { Context as Call } from 'hono';
import { unavailable } from '../domain/kernel/errors.ts';
import type { Delivery } from '../domain/kernel/response-size.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { SECOND } from '../lib/time.ts';
import { nodeBindings } from './node-request.ts';
import { type Reader, readerOf } from './shares/reader-bytes.ts';
import { UnreadBytes } from './shares/unread-bytes.ts';

/** Below it, a response fits into the buffers of the socket. */
const MIN_BYTES = 2 ** 14;

/** Milliseconds without progress after which Node looks at a connection; the second time in a row it closes it. */
const STALLED = 8 * SECOND;

export interface UnreadResponses {
  /** Names the caller. Throws UNAVAILABLE while too much of theirs is unread. */
  enter(call: Call, viewer: Viewer, network: string): void;
  /** The same again, before anything is built for them, as others of theirs may have been built meanwhile. */
  check(call: Call): void;
  deliveryOf(call: Call): Delivery;
  /** Bytes that wait to be read, and responses that were dropped before they were read. */
  readonly bytes: number;
  readonly dropped: number;
}

/** The bytes of built responses that wait in this process, shared between tenants. `stalled`: in ms. */
export function unreadResponses(limit: number, stalled = STALLED): UnreadResponses {
  const unread = new UnreadBytes(limit);
  const readers = new WeakMap<Call, Reader>();
  let dropped = 0;
  const ofReader = (call: Call, demand: (reader: Reader) => void) => {
    const reader = readers.get(call);
    try {
      if (reader) demand(reader);
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  };
  const holdPart = (call: Call, bytes: number): (() => void) => {
    const reader = readers.get(call);
    const { outgoing } = nodeBindings(call);
    if (!reader || !outgoing || outgoing.closed || bytes < MIN_BYTES) return () => {};
    const release = unread.hold(reader, bytes, () => outgoing.destroy());
    const { socket } = outgoing;
    const close = () => {
      release();
      if (socket?.destroyed) dropped++;
    };
    outgoing.once('close', close);
    return () => {
      release();
      outgoing.off('close', close);
    };
  };
  return {
    get bytes() {
      return unread.total;
    },
    get dropped() {
      return dropped;
    },
    enter(call, viewer, network) {
      readers.set(call, readerOf(viewer, network));
      this.check(call);
    },
    check: (call) => ofReader(call, (reader) => unread.requireShare(reader)),
    deliveryOf: (call) => ({
      requireRoom(bytes) {
        if (bytes >= MIN_BYTES) ofReader(call, (reader) => unread.requireRoom(reader, bytes));
      },
      hold(bytes) {
        holdPart(call, bytes);
        // Node resets it with the next request on the connection.
        if (bytes >= MIN_BYTES) nodeBindings(call).outgoing?.socket?.setTimeout(stalled);
      },
      holdPart: (bytes) => holdPart(call, bytes),
    }),
  };
}
