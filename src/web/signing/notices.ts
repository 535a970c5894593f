import type { SigningStatus } from '../../domain/signing/signing-status.ts';
import type { NoticeProps } from '../public/states.tsx';

/** Texts for links with which nothing can be signed. */
export const NOTICES: Record<Exclude<SigningStatus, 'READY' | 'SIGNED'>, NoticeProps & { text: string }> = {
  WAITING: {
    title: 'It is not your turn yet',
    text: 'Others sign before you. You will get a message when it is your turn.',
    success: true,
  },
  DECLINED: {
    title: 'You declined to sign',
    text: 'The sender can read your reason. There is nothing more to do here.',
    success: true,
  },
  STOPPED: {
    title: 'Signing was stopped',
    text: 'This document can no longer be signed. If you did not expect that, ask the sender.',
  },
  WITHDRAWN: {
    title: 'The document was withdrawn',
    text: 'The sender has withdrawn it, so there is nothing to sign. If you did not expect that, ask the sender.',
  },
  EXPIRED: {
    title: 'The time to sign has ended',
    text: 'This link has expired. Ask the sender for a new one.',
  },
};

/** Text for a link with too many wrong access codes. */
export const LOCKED = {
  title: 'This link is locked',
  text: 'A wrong access code was entered too often. Ask the sender for a new link.',
};

/** Statuses that a link never leaves. */
export const FINAL_STATUSES: readonly SigningStatus[] = ['EXPIRED', 'WITHDRAWN'];
