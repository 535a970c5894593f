import { isIP, isIPv6 } from 'node:net';

/**
 * Where a request came from. With `proxies` of ours in front, each appended the address it saw to X-Forwarded-For:
 * what stands further left was written by the client, and is not believed.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  proxies: number,
): string {
  const seen = proxies > 0 ? forwardedFor?.split(',').at(-proxies)?.trim() : undefined;
  const address = seen && isIP(seen) ? seen : (socketAddress ?? '');
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** Whose address it is: an IPv6 customer holds a whole /64, and may come from any address of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array(8 - before.length - after.length).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

const groupsOf = (part = ''): string[] => part.split(':').filter((group) => group !== '');
