import { z } from 'zod';
import { MAX_PASSWORD_LENGTH } from '../../auth/password.ts';
import { email as emailAddress } from '../../domain/kernel/input.ts';
import type { SignInProps } from './view.tsx';

/** The errors in the fields of the sign-in form, before an account is looked up; undefined if there are none. */
export function validateSignIn(email: string, password: string): SignInProps['errors'] {
  const errors = {
    email: email === '' ? 'Enter your e-mail address.' : emailError(email),
    password: password === '' ? 'Enter your password.' : passwordError(password),
  };
  if (!errors.email && !errors.password) return undefined;
  return { form: 'There is a problem', ...errors };
}

const emailError = (text: string): string | undefined =>
  z.safeParse(emailAddress, text).success ? undefined : 'Enter an e-mail address such as name@example.com.';

const passwordError = (text: string): string | undefined =>
  text.length > MAX_PASSWORD_LENGTH ? `A password has at most ${MAX_PASSWORD_LENGTH} characters.` : undefined;
