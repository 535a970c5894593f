import type { PasswordChange } from '../../domain/accounts/password.ts';
import { Button, Heading, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

const HOW: Record<PasswordChange, string> = {
  'password.changed': 'with your password before',
  'password.reset': 'with a link that was mailed to you',
  'password.setByAdministrator': 'by the administrator of the server',
};

/** To the owner of an account, after its password was changed. */
export const passwordChanged: Template = async ({ storage }, { data, createdAt }) => {
  const { kind, ipAddress } = data as { kind: PasswordChange; ipAddress: string | null };
  return {
    subject: 'Your password was changed',
    body: (
      <>
        <Heading>Your password was changed</Heading>
        <Paragraph>
          On {createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC), {HOW[kind]}
          {ipAddress && `, from the network address ${ipAddress}`}.
        </Paragraph>
        <Paragraph>
          If that was not you, set a new password at once, and look through your API keys.
        </Paragraph>
        <Button href={storage.signedUrls.page('/password/forgot')}>This was not me</Button>
      </>
    ),
    reason: 'You get this mail because it is about the security of your account.',
  };
};
