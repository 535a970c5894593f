import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleApprovalDocument,
  ConsoleApproveDocument,
  ConsoleDenyDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { ApprovalView } from './approval-view.tsx';

const APPROVAL = storedOperation(ConsoleApprovalDocument);
const APPROVE = storedMutation(ConsoleApproveDocument);
const DENY = storedMutation(ConsoleDenyDocument);

/** `approvals/APPROVAL`: what is to be approved, its steps, and the decision. */
export function approvalPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/approvals/:approval`;
  pages.get(path, (visit) => showApproval(visit));
  pages.post(path, decide);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  approved: 'You have approved it.',
  denied: 'You have denied it.',
};

async function showApproval(visit: Visit, error?: FormError, comment?: string): Promise<Response> {
  const id = visit.param('organization');
  const { organization, approval } = await visit.run(APPROVAL, { id, approvalId: visit.param('approval') });
  if (approval?.organizationId !== id) throw notFound('Approval');
  return consolePage({
    visit,
    title: `Approval of ${approval.item.name}`,
    organization: visible(organization),
    crumbs: [{ href: sectionHref(visit, 'approvals'), text: 'Approvals' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: ApprovalView({ path: visit.path, formToken: visit.formToken, approval, error, comment }),
  });
}

function decide(visit: Visit, form: URLSearchParams): Promise<Response> {
  const comment = (form.get('comment') ?? '').trim();
  const input = {
    ids: [visit.param('approval')],
    organizationId: visit.param('organization'),
    comment: comment || null,
  };
  return attempt(
    async () => {
      const isApproved = form.get('decision') === 'approve';
      await (isApproved ? visit.run(APPROVE, { input }) : visit.run(DENY, { input }));
      return seeOther(`${visit.path}?done=${isApproved ? 'approved' : 'denied'}`);
    },
    (error) => showApproval(visit, error, comment),
  );
}
