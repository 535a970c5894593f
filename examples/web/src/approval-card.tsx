import { useMutation } from 'urql';
import type { ApprovalCardFragment } from './gql/graphql.ts';
import { Link } from './link.tsx';
import { APPROVE, DENY } from './operations.ts';

interface Props {
  approval: ApprovalCardFragment;
  project?: { id: string; organizationId: string; name: string };
}

const STATES = {
  APPROVED: 'Approved',
  DENIED: 'Denied',
  DECLINED: 'Declined',
  PENDING: 'Waiting for others',
  WITHDRAWN: 'Withdrawn',
};

/** An approval with its decision. The cache shows it at once. */
export function ApprovalCard({ approval, project }: Props) {
  const [, approve] = useMutation(APPROVE);
  const [, deny] = useMutation(DENY);
  const { item, process, step, state, waitsForViewer } = approval;
  const input = { ids: [approval.id] };
  return (
    <div className="approval card">
      <div>
        {project && item.kind === 'DOCUMENT' ? (
          <Link to={{ organization: project.organizationId, project: project.id, document: item.itemId }}>
            <strong>{item.name}</strong>
          </Link>
        ) : (
          <strong>{project ? item.name : process.name}</strong>
        )}
        <div className="muted small">
          {[project && process.name, step.name, project?.name].filter(Boolean).join(' · ')}
        </div>
      </div>
      {waitsForViewer && state === 'PENDING' ? (
        <div className="actions">
          <button type="button" onClick={() => deny({ input })}>
            Deny
          </button>
          <button type="button" className="primary" onClick={() => approve({ input })}>
            Approve
          </button>
        </div>
      ) : (
        <span className={`badge ${state.toLowerCase()}`}>{STATES[state]}</span>
      )}
    </div>
  );
}
