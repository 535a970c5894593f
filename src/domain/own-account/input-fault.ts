import { SECOND } from '../../lib/time.ts';
import type { PasswordFault } from '../kernel/account-service.ts';
import { badInput, DomainError } from '../kernel/errors.ts';

/** The error for a member of an input: RATE_LIMITED after too many attempts, else BAD_USER_INPUT. */
export const inputFault = (at: string, { text, wait }: PasswordFault): DomainError =>
  wait === undefined
    ? badInput(`${at}: ${text}`, at)
    : new DomainError('RATE_LIMITED', `${at}: ${text}`, { at, retryAfter: Math.ceil(wait / SECOND) });
