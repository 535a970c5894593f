import { isIP, isIPv6 } from 'node:net';

/**
 * The IP address of a client. Each of the `proxies` trusted proxies appended the address it saw to X-Forwarded-For;
 * entries further left are from the client and not trusted.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  proxies: number,
): string {
  const forwarded = proxies > 0 ? forwardedFor?.split(',').at(-proxies)?.trim() : undefined;
  const address = forwarded && isIP(forwarded) ? forwarded : (socketAddress ?? '');
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** The network to count an address by: for IPv6 the /64, of which a customer can use any address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array(8 - before.length - after.length).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

const groupsOf = (part = ''): string[] => part.split(':').filter((group) => group !== '');
