import { hasVerifiedAccount } from '../../domain/accounts/account-creation.ts';
import { mayCreate } from '../../domain/accounts/provider-account.ts';
import { findSignUp, signUpUrl } from '../../domain/accounts/sign-up-link.ts';
import { Button, Heading, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { takenLetter } from './email-change.tsx';

/** To an address for which somebody wants an account. One that has an account gets no link. */
export const signUp: Template = async ({ db, storage }, { subjectId, toEmail, data }) => {
  const request = await findSignUp(db, subjectId ?? '');
  if (!request) return undefined;
  if (await hasVerifiedAccount(db, toEmail)) return takenLetter(storage.signedUrls.page('/password/forgot'));
  const { onlyInvited = false } = data as { onlyInvited?: boolean };
  if (!(await mayCreate(db, onlyInvited ? 'invited' : 'open', toEmail))) return undefined;
  return {
    subject: 'Create your account',
    body: (
      <>
        <Heading>Create your account</Heading>
        <Paragraph>Someone, probably you, wants an account with this address.</Paragraph>
        <Button href={signUpUrl(storage, request.id)}>Create the account</Button>
        <Paragraph>
          The link works once, for 24 hours. Nothing happens until you have chosen a name.
        </Paragraph>
      </>
    ),
    reason:
      'You get this mail because your address was entered on the page for new accounts. If that was not you, ignore it.',
  };
};
