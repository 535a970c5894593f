import { newResetSecret } from '../../domain/accounts/password-reset.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { withoutLinks } from '../letter/plain.ts';

/** To an address for which somebody has asked for a new password. Addresses without an account get nothing. */
export const passwordReset: Template = async ({ db, storage }, { toEmail }) => {
  const link = await newResetSecret(db, toEmail);
  if (!link) return undefined;
  return {
    subject: 'Set a new password',
    body: (
      <>
        <Heading>Set a new password</Heading>
        <Paragraph>
          <Name of={link.name} />, someone has asked for a new password for your account.
        </Paragraph>
        {link.issuer && (
          <Paragraph>
            Your account has no password: you sign in with{' '}
            <bdi>{withoutLinks(new URL(link.issuer).hostname)}</bdi>. You can set one all the same, to sign in
            with either.
          </Paragraph>
        )}
        <Button href={storage.signedUrls.page(`/password/reset/${link.secret}`)}>Set a new password</Button>
        <Paragraph>The link works once, for an hour. Nothing changes until you set the password.</Paragraph>
      </>
    ),
    reason:
      'You get this mail because your address was entered on the page for forgotten passwords. If that was not you, ignore it: your password stays as it is.',
  };
};
