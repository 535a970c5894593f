import { badValue, notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleApprovalDocument,
  ConsoleApproveDocument,
  ConsoleDeclineDocument,
  ConsoleDelegateDocument,
  ConsoleDenyDocument,
  ConsoleWithdrawRunDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError, inField } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { searchField } from '../ui/people-field.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { ApprovalView } from './approval-view.tsx';
import { delegationOptions, type EnteredDelegation } from './delegation.ts';

const APPROVAL = storedOperation(ConsoleApprovalDocument);
const APPROVE = storedMutation(ConsoleApproveDocument);
const DENY = storedMutation(ConsoleDenyDocument);
const DECLINE = storedMutation(ConsoleDeclineDocument);
const DELEGATE = storedMutation(ConsoleDelegateDocument);
const WITHDRAW = storedMutation(ConsoleWithdrawRunDocument);

/** `approvals/APPROVAL`: what is to be approved, its steps, and the decision. */
export function approvalPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/approvals/:approval`;
  pages.get(path, (visit) => showApproval(visit));
  pages.post(path, decide);
  pages.post(`${path}/delegate`, delegate);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  approved: 'You have approved it.',
  denied: 'You have denied it.',
  declined: 'You have declined to decide it.',
  delegated: 'The vote was handed over.',
  withdrawn: 'You have withdrawn it.',
};

const pathOf = (visit: Visit): string => `${sectionHref(visit, 'approvals')}/${visit.param('approval')}`;

async function readApproval(visit: Visit) {
  const id = visit.param('organization');
  const { organization, approval } = await visit.run(APPROVAL, { id, approvalId: visit.param('approval') });
  if (approval?.organizationId !== id) throw notFound('Approval');
  return { organization: visible(organization), approval };
}

async function showApproval(
  visit: Visit,
  error?: FormError,
  entered: EnteredDelegation = {},
): Promise<Response> {
  const { organization, approval } = await readApproval(visit);
  return consolePage({
    visit,
    title: `Approval of ${approval.item.name}`,
    organization,
    crumbs: [{ href: sectionHref(visit, 'approvals'), text: 'Approvals' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: ApprovalView({
      ...{ path: pathOf(visit), formToken: visit.formToken, viewerId: visit.viewer.userId },
      ...{ approval, error, entered },
      delegation: await delegationOptions(visit, approval, entered),
    }),
  });
}

function decide(visit: Visit, form: URLSearchParams): Promise<Response> {
  const comment = (form.get('comment') ?? '').trim();
  const withdrawalReason = (form.get('reason') ?? '').trim();
  return attempt(
    async () => {
      const done = await act(visit, form.get('decision'), comment, withdrawalReason);
      return seeOther(`${pathOf(visit)}?done=${done}`);
    },
    (error) =>
      showApproval(visit, inField(error, { comment: 'comment', reason: 'reason' }), {
        comment,
        withdrawalReason,
      }),
  );
}

/** Does what the pressed button says, and returns what was done. */
async function act(
  visit: Visit,
  decision: string | null,
  comment: string,
  reason: string,
): Promise<keyof typeof DONE> {
  const organizationId = visit.param('organization');
  const input = { ids: [visit.param('approval')], organizationId, comment: comment || null };
  if (decision === 'withdraw') {
    const { approval } = await readApproval(visit);
    await visit.run(WITHDRAW, {
      input: { organizationId, runIds: [approval.run.id], reason: reason || null },
    });
    return 'withdrawn';
  }
  if (decision === 'approve') await visit.run(APPROVE, { input });
  else if (decision === 'decline') await visit.run(DECLINE, { input });
  else if (decision === 'deny') await visit.run(DENY, { input });
  else throw badValue('decision', 'must be approve, deny, decline or withdraw');
  return ANSWERS[decision];
}

const ANSWERS = { approve: 'approved', deny: 'denied', decline: 'declined' } as const;

/** Hands a vote over, or searches for whom to hand it to. */
async function delegate(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = {
    fromUserId: form.get('fromUserId') ?? '',
    toUserId: form.get('toUserId') ?? '',
    reason: (form.get('delegationReason') ?? '').trim(),
    search: (form.get(searchField('toUserId')) ?? '').trim(),
  };
  if (form.get('do') === 'find') return showApproval(visit, undefined, entered);
  if (!entered.toUserId)
    return showApproval(visit, fieldError('toUserId', 'Choose who gets the vote.'), entered);
  const { fromUserId, toUserId, reason } = entered;
  return attempt(
    async () => {
      await visit.run(DELEGATE, {
        input: {
          ...{ ids: [visit.param('approval')], organizationId: visit.param('organization') },
          ...{ toUserId, reason: reason || null },
          fromUserId: fromUserId === visit.viewer.userId ? null : fromUserId || null,
        },
      });
      return seeOther(`${pathOf(visit)}?done=delegated`);
    },
    (error) => showApproval(visit, inField(error, DELEGATION_FIELDS), entered),
  );
}

/** The field of the form by the member of the input; that an approval excludes somebody is about the person. */
const DELEGATION_FIELDS: Record<string, string> = {
  ...{ toUserId: 'toUserId', fromUserId: 'fromUserId', ids: 'toUserId' },
  reason: 'delegationReason',
};
