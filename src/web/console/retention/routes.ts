import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleCreateRetentionPolicyDocument,
  ConsoleDisposalDocument,
  ConsoleRetentionDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type EnteredPolicy, enteredPolicy, NEW_POLICY, policyInput } from './entered.ts';
import { RetentionView } from './view.tsx';

const RETENTION = storedOperation(ConsoleRetentionDocument);
const DISPOSAL = storedOperation(ConsoleDisposalDocument);
const CREATE = storedMutation(ConsoleCreateRetentionPolicyDocument);

/** `retention` of an organization: its policies, and what they disposed of. */
export function retentionListPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/retention`;
  pages.get(path, (visit) => showRetention(visit));
  pages.post(path, create);
  pages.get(`${path}/disposals/:disposal`, sendCertificate);
}

async function showRetention(
  visit: Visit,
  error?: FormError,
  entered: EnteredPolicy = NEW_POLICY,
): Promise<Response> {
  const after = visit.query('after');
  const { organization } = await visit.run(RETENTION, { id: visit.param('organization'), after });
  return consolePage({
    visit,
    title: 'Retention',
    organization: visible(organization),
    done: visit.query('done') === 'deleted' ? 'The policy was deleted.' : undefined,
    error,
    children: RetentionView({ visit, organization: visible(organization), after, entered, error }),
  });
}

const create = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const input = { organizationId: visit.param('organization'), ...policyInput(enteredPolicy(form)) };
      const { createRetentionPolicy } = await visit.run(CREATE, { input });
      return seeOther(`${sectionHref(visit, 'retention')}/${createRetentionPolicy.retentionPolicy.id}`);
    },
    (error) => showRetention(visit, error, enteredPolicy(form)),
  );

/** The text whose SHA-256 the log has, byte by byte; or its seal. */
async function sendCertificate(visit: Visit): Promise<Response> {
  const disposalId = visit.param('disposal');
  const { node } = await visit.run(DISPOSAL, { disposalId });
  if (node?.__typename !== 'Disposal') throw notFound('Disposal');
  const isSeal = visit.query('part') === 'seal';
  const [type, extension] = isSeal ? ['application/pkcs7-signature', 'p7s'] : ['application/json', 'json'];
  return new Response(isSeal ? Buffer.from(node.seal, 'base64') : node.certificate, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${disposalId}.${extension}"`,
      'Cache-Control': 'no-store',
    },
  });
}
