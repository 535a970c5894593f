import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleApprovalDocument,
  ConsoleApproveDocument,
  ConsoleDenyDocument,
  ConsoleWithdrawRunDocument,
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
const WITHDRAW = storedMutation(ConsoleWithdrawRunDocument);

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
  withdrawn: 'You have withdrawn it.',
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
    children: ApprovalView({
      ...{ path: visit.path, formToken: visit.formToken, approval, error, comment },
      mayWithdraw: approval.run.state === 'PENDING' && approval.run.createdBy.id === visit.viewer.userId,
    }),
  });
}

function decide(visit: Visit, form: URLSearchParams): Promise<Response> {
  const comment = (form.get('comment') ?? '').trim();
  return attempt(
    async () => seeOther(`${visit.path}?done=${await act(visit, form.get('decision'), comment)}`),
    (error) => showApproval(visit, error, comment),
  );
}

/** Does what the pressed button says, and returns what was done. */
async function act(visit: Visit, decision: string | null, comment: string): Promise<keyof typeof DONE> {
  const organizationId = visit.param('organization');
  if (decision === 'withdraw') {
    const ids = { id: organizationId, approvalId: visit.param('approval') };
    const { approval } = await visit.run(APPROVAL, ids);
    if (!approval) throw notFound('Approval');
    await visit.run(WITHDRAW, { input: { organizationId, runIds: [approval.run.id] } });
    return 'withdrawn';
  }
  const input = { ids: [visit.param('approval')], organizationId, comment: comment || null };
  await (decision === 'approve' ? visit.run(APPROVE, { input }) : visit.run(DENY, { input }));
  return decision === 'approve' ? 'approved' : 'denied';
}
