import { hasVerifiedAccount } from '../../domain/accounts/account-creation.ts';
import { findEmailChange } from '../../domain/accounts/email-change.ts';
import { emailLinkUrl } from '../../domain/accounts/email-link.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Letter, Template } from '../letter/letter.ts';

/** To an address that somebody entered as the new one of their account. */
export const emailChange: Template = async ({ db, storage }, { subjectId, toEmail }) => {
  const change = await findEmailChange(db, subjectId ?? '');
  if (change?.state !== 'PENDING') return undefined;
  const { id, oldEmail, userName } = change;
  const isNew = oldEmail !== toEmail;
  if (isNew && (await hasVerifiedAccount(db, toEmail)))
    return takenLetter(storage.signedUrls.page('/password/forgot'));
  return {
    subject: isNew ? 'Confirm your new e-mail address' : 'Confirm your e-mail address',
    body: (
      <>
        <Heading>{isNew ? 'Confirm your new e-mail address' : 'Confirm your e-mail address'}</Heading>
        <Paragraph>
          <Name of={userName} />, confirm that this address is yours
          {isNew && (
            <>
              . From then on you sign in with it instead of <bdi>{oldEmail}</bdi>
            </>
          )}
          .
        </Paragraph>
        <Button href={emailLinkUrl(storage, 'confirm', id)}>Confirm the address</Button>
        <Paragraph>The link works once, for 24 hours, in the browser in which you are signed in.</Paragraph>
      </>
    ),
    reason:
      'You get this mail because this address was entered on the page of an account. If that was not you, ignore it: nothing happens.',
  };
};

/** To the owner of an address that somebody wanted for another account. */
export const takenLetter = (forgotUrl: string): Letter => ({
  subject: 'Your address has an account already',
  body: (
    <>
      <Heading>Your address has an account already</Heading>
      <Paragraph>
        This address was entered for another account. It belongs to yours, so nothing was changed. If that was
        you, sign in with this address.
      </Paragraph>
      <Button href={forgotUrl}>I have forgotten my password</Button>
    </>
  ),
  reason: 'You get this mail because your address was entered. If that was not you, ignore it.',
});
