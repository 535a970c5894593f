import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 ranges that are not public unicast. Source: the IANA IPv4 Special-Purpose Address Registry, and RFC 5771. */
const SPECIAL_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * The same for IPv6. Public addresses are in 2000::/3, which excludes mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96),
 * loopback and local ones. 6to4 (2002::/16) and Teredo (in 2001::/23) are excluded, as they embed IPv4 addresses.
 */
const PUBLIC_6 = '2000::/3';
const SPECIAL_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function blockListOf(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

const special4 = blockListOf(SPECIAL_4, 'ipv4');
const special6 = blockListOf(SPECIAL_6, 'ipv6');
const public6 = blockListOf([PUBLIC_6], 'ipv6');

/** Whether the IP address (with or without a zone) is public unicast. */
export const isPublic = (address: string): boolean => {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return !special4.check(bare, 'ipv4');
  return isIP(bare) === 6 && public6.check(bare, 'ipv6') && !special6.check(bare, 'ipv6');
};

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Replaces dns.lookup for a connection: it connects to the checked addresses only, which prevents DNS rebinding. Fails
 * with NotPublic when any address of the name is not public.
 */
export function publicLookup(host: string, options: LookupOptions, callback: Callback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const refused = addresses.find(({ address }) => !isPublic(address));
    if (refused || addresses.length === 0) return callback(new NotPublic(host), []);
    const [{ address, family }] = addresses as [LookupAddress];
    return options.all ? callback(null, addresses) : callback(null, address, family);
  });
}

/** The address belongs to this machine or to a private or reserved network. */
class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/** Throws NotPublic for a host that is a non-public IP literal, for which publicLookup is not called. */
export function requirePublicHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic(host);
}
