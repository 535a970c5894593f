import { DomainError } from '../../../domain/kernel/errors.ts';
import {
  type ApprovalFilter,
  ConsoleApprovalOrganizationDocument,
  ConsoleApprovalsDocument,
  ConsoleOwnApprovalsDocument,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { ApprovalsView, chosenPart, OwnApprovalsView, type Part } from './view.tsx';

const OWN = storedOperation(ConsoleOwnApprovalsDocument);
const APPROVALS = storedOperation(ConsoleApprovalsDocument);
const PARENT = storedOperation(ConsoleApprovalOrganizationDocument);

/** `approvals` of an organization, those of the viewer in all of them, and the link in mails. */
export function approvalListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get('/console/approvals', showOwn);
  pages.get('/approvals/:approval', leadToApproval);
  pages.get(`${organizationPath}/approvals`, showApprovals);
}

async function showOwn(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const { viewer } = await visit.run(OWN, { after });
  return consolePage({
    visit,
    title: 'Your approvals',
    children: OwnApprovalsView({ path: visit.path, approvals: viewer.approvals, after }),
  });
}

const FILTERS: Record<Part, (visit: Visit) => ApprovalFilter> = {
  waiting: () => ({ waitsForViewer: true }),
  requested: ({ viewer }) => ({ requestedById: viewer.userId }),
  pending: () => ({ state: 'PENDING' }),
  approved: () => ({ state: 'APPROVED' }),
  denied: () => ({ state: 'DENIED' }),
  declined: () => ({ state: 'DECLINED' }),
  all: () => ({}),
};

async function showApprovals(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const part = chosenPart(visit.query('show'));
  const organization = visible(
    (
      await visit.run(APPROVALS, {
        id: visit.param('organization'),
        after,
        filter: FILTERS[part](visit),
        direction: part === 'waiting' ? 'ASC' : 'DESC',
      })
    ).organization,
  );
  return consolePage({
    visit,
    title: 'Approvals',
    organization,
    children: ApprovalsView({ path: visit.path, approvals: organization.approvals, part, after }),
  });
}

/** The page of an approval, whatever its organization. */
async function leadToApproval(visit: Visit): Promise<Response> {
  try {
    const { approval } = await visit.run(PARENT, { approvalId: visit.param('approval') });
    if (approval) return seeOther(`/console/${approval.organizationId}/approvals/${approval.id}`);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
  }
  return unknownApproval(visit);
}

const unknownApproval = (visit: Visit): Response =>
  consolePage({
    visit,
    title: 'Approval',
    error: { text: 'This approval is not yours to see', status: 404 },
    children: (
      <p>
        It does not exist, or not for <bdi class="who">{visit.viewer.email}</bdi>, as whom you are signed in.{' '}
        <a href="/console/approvals">Your approvals</a>
      </p>
    ),
  });
