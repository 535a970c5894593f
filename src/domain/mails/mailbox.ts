import { domainToASCII } from 'node:url';

/**
 * The mailbox that an address most likely leads to, to compare addresses by: in lower case, without a tag after `+`, the domain in
 * ASCII (RFC 5891). Dots stay, since most providers tell them apart.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).normalize('NFKC').toLowerCase();
  const domain = address.slice(at + 1).toLowerCase();
  const [untagged] = local.split('+');
  return `${untagged || local}@${domainToASCII(domain) || domain}`;
}
