import type { ApprovalDetails } from '../../domain/approvals/approval-page.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';

export interface ApprovalProps extends ApprovalDetails {
  viewer: { email: string };
  formToken: string;
  /** Why the decision was not possible. */
  error?: string;
  /** What was entered, after an error. */
  comment?: string;
}

const STATES = {
  PENDING: 'It waits for others.',
  APPROVED: 'It was approved.',
  DENIED: 'It was denied.',
  DECLINED: 'All approvers have declined to decide.',
} as const;

/** What is to be approved, and the buttons of who may decide. */
export const Approval = (props: ApprovalProps) => {
  const { approval, item, error, viewer, requesterName, requesterEmail, fileUrl } = props;
  return (
    <Frame title={error ? 'Error: Approval' : 'Approval'}>
      <div class="card">
        {error && <ErrorSummary errors={[{ at: 'comment', text: error }]} />}
        <h1>
          Approval of <Name of={item.name} maxLength={120} />
        </h1>
        <p class="lead who">
          <Name of={requesterName} maxLength={60} /> ({requesterEmail}) asks for it, in{' '}
          <Name of={props.projectName} maxLength={60} /> of{' '}
          <Name of={props.organizationName} maxLength={60} />.
        </p>
        <p class="who">
          Step <Name of={props.stepName} maxLength={60} /> of <Name of={props.processName} maxLength={60} />
          {approval.dueAt && `, due ${approval.dueAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC`}.
        </p>
        {item.description && <p class="who">{item.description}</p>}
        {fileUrl && (
          <p>
            <a href={fileUrl} target="_blank" rel="noreferrer">
              Read the document
            </a>
          </p>
        )}
        {approval.waitsForViewer ? <Decision {...props} /> : <p role="status">{STATES[approval.state]}</p>}
        <p class="who">You are signed in as {shownEmail(viewer.email)}.</p>
      </div>
    </Frame>
  );
};

const Decision = ({ formToken, comment }: ApprovalProps) => (
  <form method="post" novalidate>
    <input type="hidden" name="form_token" value={formToken} />
    <div class="field">
      <label for="comment">Comment (optional)</label>
      <textarea id="comment" name="comment" rows={3} maxlength={2_000}>
        {comment ?? ''}
      </textarea>
    </div>
    <div class="actions">
      <button type="submit" name="decision" value="approve">
        Approve
      </button>
      <button type="submit" class="plain" name="decision" value="deny">
        Deny
      </button>
    </div>
  </form>
);
