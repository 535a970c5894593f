import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

/** To the owner of an account, after a sign-in with a device that had not signed in before. */
export const newSignIn: Template = async ({ storage }, { data, createdAt }) => {
  const { program, ipAddress } = data as { program: string; ipAddress: string };
  return {
    subject: 'New sign-in to your account',
    body: (
      <>
        <Heading>New sign-in to your account</Heading>
        <Paragraph>
          On {createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC), with <Name of={program} />,
          from the network address {ipAddress}. This device had not signed in before.
        </Paragraph>
        <Paragraph>
          If that was not you, end the sign-in on the page of your account, and set a new password at once.
        </Paragraph>
        <Button href={storage.signedUrls.page('/account')}>Your account</Button>
      </>
    ),
    reason:
      'You get this mail because it is about the security of your account. It can be switched off on the page of your account.',
  };
};
