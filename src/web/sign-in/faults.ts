import { z } from 'zod';
import { MAX_PASSWORD_LENGTH } from '../../auth/password.ts';
import { email as emailAddress } from '../../domain/kernel/input.ts';
import type { SignInProps } from './view.tsx';

/** What is wrong with the fields of the sign-in form before any account is looked up; undefined if nothing is. */
export function faultsOf(email: string, password: string): SignInProps['faults'] {
  const faults = {
    email: email === '' ? 'Enter your e-mail address.' : emailFault(email),
    password: password === '' ? 'Enter your password.' : passwordFault(password),
  };
  if (!faults.email && !faults.password) return undefined;
  const form = email === '' || password === '' ? 'Something is missing' : 'Something is not right';
  return { form, ...faults };
}

const emailFault = (text: string): string | undefined =>
  z.safeParse(emailAddress, text).success ? undefined : 'Enter an e-mail address such as name@example.com.';

const passwordFault = (text: string): string | undefined =>
  text.length > MAX_PASSWORD_LENGTH ? `A password has at most ${MAX_PASSWORD_LENGTH} characters.` : undefined;
