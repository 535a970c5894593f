import { findClosedMembership } from '../../domain/organizations/second-factor-required.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To a member without a second factor, when their organization begins to require one. */
export const secondFactorRequired: Template = async ({ db, storage }, { subjectId }) => {
  const closed = await findClosedMembership(db, subjectId ?? '');
  if (!closed) return undefined;
  const { organizationName } = closed;
  return {
    subject: `${isolatedName(organizationName)} requires a second factor`,
    body: (
      <>
        <Heading>Add a second factor to your account</Heading>
        <Paragraph>
          <Name of={organizationName} /> requires one of all members. Until you add it, this organization is
          closed to you, and to API keys and applications that you set up from now on. Those that you have set
          up go on.
        </Paragraph>
        <Paragraph>It takes a passkey, or an app that shows codes. Nothing of yours is lost.</Paragraph>
        <Button href={storage.signedUrls.page('/account/second-factors')}>Add a second factor</Button>
      </>
    ),
    reason: 'You get this mail because you are a member of the organization.',
  };
};
