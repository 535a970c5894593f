import { findEmailChange } from '../../domain/accounts/email-change.ts';
import { emailLinkUrl } from '../../domain/accounts/email-link.ts';
import { Button, Heading, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

/** To the address that an account had, when a change was requested and when it was made. */
export const emailChangeNotice: Template = async ({ db, storage }, { subjectId, data, createdAt }) => {
  const change = await findEmailChange(db, subjectId ?? '');
  if (!change || change.state === 'ENDED') return undefined;
  const { ipAddress } = data as { ipAddress: string | null };
  const isDone = change.state === 'CONFIRMED';
  const title = isDone ? 'Your e-mail address was changed' : 'Your e-mail address is to be changed';
  return {
    subject: title,
    body: (
      <>
        <Heading>{title}</Heading>
        <Paragraph>
          On {createdAt.toISOString().slice(0, 16).replace('T', ' at ')} (UTC)
          {ipAddress && `, from the network address ${ipAddress}`}
          {isDone ? ', your account got the address ' : ', the owner of your account asked for the address '}
          <bdi>{change.newEmail}</bdi>
          {isDone ? ' instead of this one.' : ' instead of this one. It has to be confirmed first.'}
        </Paragraph>
        <Paragraph>
          If that was not you, {isDone ? 'take the change back' : 'cancel the change'}: all sign-ins of the
          account end, and you set a new password.
          {isDone && ' The link works for seven days.'}
        </Paragraph>
        <Button href={emailLinkUrl(storage, 'undo', change.id)}>This was not me</Button>
      </>
    ),
    reason: 'You get this mail because it is about the security of your account.',
  };
};
