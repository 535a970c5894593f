import type { Socket } from 'node:net';
import { clientAddress, networkOf } from '../auth/client-address.ts';
import type { Lifecycle } from '../telemetry/lifecycle.ts';

/** Closes connections of a network that has `max` open; 0 is no limit. */
export function socketLimit(max: number, lifecycle: Lifecycle): (socket: Socket) => void {
  const counts = new Map<string, number>();
  const add = (network: string, change: 1 | -1) => {
    const count = (counts.get(network) ?? 0) + change;
    if (count > 0) counts.set(network, count);
    else counts.delete(network);
    lifecycle.sockets += change;
  };
  return (socket) => {
    const network = networkOf(clientAddress(socket.remoteAddress, null, 0));
    if (max > 0 && (counts.get(network) ?? 0) >= max) {
      socket.destroy();
      return;
    }
    add(network, 1);
    socket.once('close', () => add(network, -1));
  };
}
