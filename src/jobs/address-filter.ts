import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 that is no public unicast address. Source: the IANA IPv4 Special-Purpose Address Registry, and RFC 5771. */
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
 * The same of IPv6, of which all that is public lies in 2000::/3: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96)
 * addresses, the loopback and local ones are outside of it. 6to4 and Teredo lead to IPv4 by themselves.
 */
const PUBLIC_6 = '2000::/3';
const SPECIAL_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

const special4 = listOf(SPECIAL_4, 'ipv4');
const special6 = listOf(SPECIAL_6, 'ipv6');
const public6 = listOf([PUBLIC_6], 'ipv6');

/** Whether an address of the internet at large. */
export const isPublic = (address: string): boolean => {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return !special4.check(bare, 'ipv4');
  return isIP(bare) === 6 && public6.check(bare, 'ipv6') && !special6.check(bare, 'ipv6');
};

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * What a connection is made with in place of dns.lookup: it is given the addresses that were checked, and no others, so
 * that a name cannot be looked up to something else afterwards. One that is not public refuses the name as a whole.
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

/** The address is of this machine or of a network of its own. */
export class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
  }
}

/** Throws for a host that is written as an address, which is not looked up, and is not public. */
export function requirePublicHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic(host);
}
