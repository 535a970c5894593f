import type { IdentityChangeKind } from '../../domain/accounts/external-identity.ts';
import { Button, Heading, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { withoutLinks } from '../letter/plain.ts';

/** To the owner of an account, after an identity provider was connected or disconnected. */
export const identityChanged: Template = async ({ storage }, { data, createdAt }) => {
  const { kind, issuer, ipAddress } = data as {
    kind: IdentityChangeKind;
    issuer: string;
    ipAddress: string | null;
  };
  const isLinked = kind === 'identity.linked';
  const title = isLinked
    ? 'A sign-in was connected with your account'
    : 'A sign-in was disconnected from your account';
  return {
    subject: title,
    body: (
      <>
        <Heading>{title}</Heading>
        <Paragraph>
          On {createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC)
          {ipAddress && `, from the network address ${ipAddress}`}: the identity provider{' '}
          <bdi>{withoutLinks(new URL(issuer).hostname)}</bdi>.
          {isLinked && ' You can sign in to your account with it.'}
        </Paragraph>
        <Paragraph>
          If that was not you, set a new password at once and look at the page of your account.
        </Paragraph>
        <Button href={storage.signedUrls.page('/account')}>Your account</Button>
      </>
    ),
    reason: 'You get this mail because it is about the security of your account.',
  };
};
