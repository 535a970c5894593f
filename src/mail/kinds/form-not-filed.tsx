import { findUnfiledForm } from '../../domain/forms/filing-mail.ts';
import { viewerOfRecipient } from '../../domain/users/viewer-of-user.ts';
import { Heading, Name, Paragraph } from '../letter/layout.tsx';
import type { Template } from '../letter/letter.ts';
import { isolatedName } from '../letter/plain.ts';

/** To who created a form, when submissions of it could not be filed. */
export const formNotFiled: Template = async ({ db }, mail) => {
  const viewer = await viewerOfRecipient(db, mail.toUserId ?? '', mail.organizationId);
  const form = await findUnfiledForm(db, viewer, mail.subjectId ?? '');
  if (!form) return undefined;
  const { formName, projectName, count, error } = form;
  const several = count > 1;
  return {
    subject: `Not filed: ${isolatedName(formName)}`,
    threadId: mail.subjectId ?? undefined,
    body: (
      <>
        <Heading>
          {several ? `${count} submissions` : 'A submission'} of <Name of={formName} /> could not be filed
        </Heading>
        <Paragraph>
          The answers arrived and are stored with the form, in the project <Name of={projectName} />, but
          there is no document of {several ? 'them' : 'it'}. {several ? 'The last one failed: ' : ''}
          {error}
        </Paragraph>
        <Paragraph>
          In GraphQL, formTemplate.submissions(filing: FAILED) lists them, and retryFormFilings tries again.
        </Paragraph>
      </>
    ),
    reason: 'You get this mail because you created the form, or own the organization.',
  };
};
