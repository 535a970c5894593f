import { foldEmail } from '../../lib/text/email-address.ts';

/**
 * The mailbox that an address most likely leads to, to compare addresses by: in lower case, without a tag after `+`, the domain in
 * ASCII (RFC 5891). Dots stay, since most providers tell them apart.
 */
export function mailboxOf(address: string): string {
  const folded = foldEmail(address);
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, at).normalize('NFKC').toLowerCase();
  const [untagged] = local.split('+');
  return `${untagged || local}${folded.slice(at)}`;
}
