import { Heading, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

/** To the address that an account had, after it was erased. */
export const accountErased: Template = async (_, { data, createdAt }) => {
  const { by } = data as { by: 'PERSON' | 'OPERATOR' };
  return {
    subject: 'Your account was erased',
    body: (
      <>
        <Heading>Your account was erased</Heading>
        <Paragraph>
          On {createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC)
          {by === 'PERSON'
            ? ', as you asked for while you were signed in.'
            : ', by the administrator of the server.'}{' '}
          All sign-ins, API keys and authorizations have ended, and the account cannot be restored.
        </Paragraph>
        <Paragraph>
          What you wrote and signed stays with the organizations that it belongs to; your name and this
          address were removed wherever nothing requires them. This address is not stored any longer than it
          takes to send this mail.
        </Paragraph>
      </>
    ),
    reason: 'You get this mail because the account with this address was erased. It is the last one.',
  };
};
