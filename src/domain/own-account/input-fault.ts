import { SECOND } from '../../lib/time.ts';
import type { PasswordFault } from '../kernel/account-service.ts';
import { badValue, DomainError } from '../kernel/errors.ts';

/** The error for a member of an input: RATE_LIMITED after too many attempts, else BAD_USER_INPUT. */
export const inputFault = (at: string, { text, wait }: PasswordFault): DomainError =>
  wait === undefined
    ? badValue(at, text)
    : new DomainError('RATE_LIMITED', text, { at, subject: at, retryAfter: Math.ceil(wait / SECOND) });
