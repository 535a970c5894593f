import type { FactorChangeKind } from '../../domain/accounts/factor-change.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

const TITLES: Record<FactorChangeKind, string> = {
  'authenticatorApp.added': 'An authenticator app was added to your account',
  'authenticatorApp.removed': 'The authenticator app was removed from your account',
  'passkey.added': 'A passkey was added to your account',
  'passkey.removed': 'A passkey was removed from your account',
  'recoveryCodes.renewed': 'Your recovery codes were replaced',
  'recoveryCode.used': 'A recovery code of your account was used',
  'secondFactors.removedByAdministrator': 'The administrator has removed your second factors',
};

interface Data {
  kind: FactorChangeKind;
  ipAddress: string | null;
  /** Recovery codes that are left. */
  left?: number;
  /** Of the passkey. */
  name?: string;
}

/** To the owner of an account, after a change of its second factors. */
export const secondFactorChanged: Template = async ({ storage }, mail) => {
  const { kind, ipAddress, left, name } = mail.data as unknown as Data;
  return {
    subject: TITLES[kind],
    body: (
      <>
        <Heading>{TITLES[kind]}</Heading>
        <Paragraph>
          On {mail.createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC)
          {ipAddress && `, from the network address ${ipAddress}`}.
        </Paragraph>
        {name && (
          <Paragraph>
            Its name is <Name of={name} />.
          </Paragraph>
        )}
        {left !== undefined && (
          <Paragraph>{left === 1 ? 'One recovery code is' : `${left} recovery codes are`} left.</Paragraph>
        )}
        <Paragraph>
          If that was not you, somebody else uses your account: set a new password at once, end all other
          sign-ins on the page of your account, and look at its second factors there.
        </Paragraph>
        <Button href={storage.signedUrls.page('/account')}>Your account</Button>
      </>
    ),
    reason: 'You get this mail because it is about the security of your account.',
  };
};
