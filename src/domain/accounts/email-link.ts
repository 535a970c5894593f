import type { Storage } from '../kernel/context.ts';

/** CONFIRM goes to the new address, UNDO to the one before. */
export type EmailLink = 'confirm' | 'undo';

const message = (link: EmailLink, id: string): string => `email.${link}.${id}`;

/** The URL in a mail about a change of address; its secret is derived, not stored. */
export const emailLinkUrl = (
  { signedUrls }: Pick<Storage, 'signedUrls'>,
  link: EmailLink,
  id: string,
): string => signedUrls.page(`/email/${link}/${id}/${signedUrls.linkSecret(message(link, id))}`);

export const opensEmailLink = (
  { signedUrls }: Pick<Storage, 'signedUrls'>,
  link: EmailLink,
  { id, secret }: { id: string; secret: string },
): boolean => signedUrls.opensLink(secret, message(link, id));
