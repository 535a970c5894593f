import type { SigningStatus } from '../../domain/signing/signing-status.ts';
import type { NoticeProps } from '../public/states.tsx';

/** Texts for links that cannot be signed at. */
export const NOTICES: Record<Exclude<SigningStatus, 'READY' | 'SIGNED'>, NoticeProps & { text: string }> = {
  WAITING: {
    title: 'It is not your turn yet',
    text: 'Others sign before you. You will be asked as soon as they have.',
    good: true,
  },
  DECLINED: {
    title: 'You declined to sign',
    text: 'Whoever asked for your signature can read why. Nothing else is left to do here.',
    good: true,
  },
  STOPPED: {
    title: 'The signing was stopped',
    text: 'Nobody signs this document any more. Ask whoever sent you the link if you did not expect that.',
  },
  WITHDRAWN: {
    title: 'The document was withdrawn',
    text: 'The sender has taken it back, and nothing is left to sign. Ask them if you did not expect that.',
  },
  EXPIRED: {
    title: 'This link has expired',
    text: 'Ask whoever sent it to you for a new one.',
  },
};

/** Text for a link with too many wrong access codes. */
export const LOCKED = {
  title: 'This link is locked',
  text: 'Too many wrong access codes were given. Ask whoever sent it to you for a new link.',
};

/** Statuses that a link never leaves. */
export const FINAL_STATUSES: readonly SigningStatus[] = ['EXPIRED', 'WITHDRAWN'];
