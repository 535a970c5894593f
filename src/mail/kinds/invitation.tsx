import { findLinkedInvitation, invitationUrl } from '../../domain/membership/invitation-link.ts';
import { Button, Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';

/** To an address that is invited to an organization. */
export const invitation: Template = async ({ db, storage, mail }, { subjectId, data }) => {
  const linked = await findLinkedInvitation(db, subjectId ?? '');
  // Mails that were queued before the invitation could be sent again have no data.
  const { resends = 0 } = data as { resends?: number };
  if (!linked?.isByManager || linked.isExpired || linked.resends !== resends) return undefined;
  const { id, organizationName, inviterEmail, inviterName, projects, expiresAt } = linked;
  // A mail in the outbox is read by administrators too, so its link proves nothing about the address.
  const origin = mail.target === 'SMTP' ? 'mailed' : 'copied';
  return {
    // Anybody may invite anybody: what a stranger wrote is not in the line that lists of mails show.
    subject: 'You are invited to an organization in Docgraph',
    replyTo: inviterEmail,
    threadId: id,
    body: (
      <>
        <Heading>
          You are invited to <Name of={organizationName} />
        </Heading>
        <Paragraph>
          <Name of={inviterName} /> (<bdi>{inviterEmail}</bdi>) invites you to work on documents in this
          organization
          {projects > 0 &&
            ` and in ${projects === 1 ? 'one of its projects' : `${projects} of its projects`}`}
          .
        </Paragraph>
        <Button href={invitationUrl(storage, linked, origin)}>Answer the invitation</Button>
        <Paragraph>
          The link works until {expiresAt.toISOString().slice(0, 10)}. It shows the invitation first; nothing
          happens until you accept it.
        </Paragraph>
      </>
    ),
    reason:
      'You get this mail because someone entered your address. If you do not know the sender, ignore it: without your answer nothing happens.',
  };
};
