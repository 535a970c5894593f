import { domainToASCII } from 'node:url';
import { hiddenCharacter } from './hidden-text.js';
import { normalize } from './normalize.ts';

/** In octets, of the whole address and of its local part (RFC 5321 §4.5.3.1). */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/**
 * The characters of an HTML e-mail address (WHATWG, 4.10.5.1.5), and those beyond ASCII of RFC 6531 §3.3. That is the rule of
 * browsers: libraries follow RFC 5322, with comments and quotes that no provider has, or refuse `&` and `/`.
 */
const LOCAL_PART = /^[a-z0-9.!#$%&'*+/=?^_`{|}~\u{80}-\u{10FFFF}-]+$/iu;
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** ASCII that no domain name contains. Node's own conversion takes it for the rest of a URL, and drops it. */
const NOT_IN_DOMAINS = /[\0-,/:-@[-`{-\x7f]/;

/** The domain in lower case and in ASCII (UTS #46); undefined for an IP address and for what is no domain name. */
export function asciiDomain(domain: string): string | undefined {
  if (NOT_IN_DOMAINS.test(domain) || hiddenCharacter(domain)) return undefined;
  const ascii = domainToASCII(domain);
  return DOMAIN.test(ascii) && !/(?:^|\.)\d+$/.test(ascii) ? ascii : undefined;
}

interface EmailAddress {
  /** As it is written. */
  local: string;
  /** In ASCII. */
  domain: string;
}

/** Parses an address, or returns the reason why it is none that mail can be sent to. */
export function parseEmailAddress(text: string): EmailAddress | string {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  const [local, written] = [normalize(address.slice(0, at), 'NFC'), address.slice(at + 1)];
  if (at < 1 || written === '') return 'must be an e-mail address such as name@example.com';
  if (/^\[.*\]$|^[\d.]+$/.test(written)) return 'must be an e-mail address with a domain, not an IP address';
  if (/["()]/.test(local)) return 'must be an e-mail address without quotes and comments';
  if (!LOCAL_PART.test(local) || /\s/.test(local) || hiddenCharacter(local))
    return 'must be an e-mail address, without spaces and other characters that addresses do not have before the @';
  if (Buffer.byteLength(local) > MAX_LOCAL_LENGTH)
    return `must be an e-mail address with at most ${MAX_LOCAL_LENGTH} bytes before the @`;
  const domain = asciiDomain(written);
  if (!domain) return 'must be an e-mail address with a valid domain after the @';
  return Buffer.byteLength(local) + 1 + domain.length > MAX_EMAIL_LENGTH
    ? `must be an e-mail address of at most ${MAX_EMAIL_LENGTH} bytes`
    : { local, domain };
}

/**
 * The form in which addresses are stored and compared: in lower case, the domain in ASCII. What is no address, such as the
 * beginning of one, is only folded as far as it can be.
 */
export function foldEmail(text: string): string {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  const folded = normalize(normalize(local, 'NFC').toLowerCase(), 'NFC');
  return at < 0 ? folded : `${folded}@${foldDomain(domain)}`;
}

/** Also of a prefix that ends in a dot. */
function foldDomain(domain: string): string {
  const [, name = '', dot] = /^(.*?)(\.?)$/s.exec(domain) ?? [];
  const ascii = asciiDomain(name);
  return ascii ? `${ascii}${dot}` : domain.toLowerCase();
}
