import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleSignatureCheckDocument,
  ConsoleWebhookNameDocument,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type Received, type SignatureCheck, SignatureView } from './signature-view.tsx';

const WEBHOOK = storedOperation(ConsoleWebhookNameDocument);
const CHECK = storedOperation(ConsoleSignatureCheckDocument);

/** `webhooks/WEBHOOK/signature`: whether a signature that a receiver got is valid. */
export function webhookSignaturePages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/webhooks/:webhook/signature`;
  pages.get(path, (visit) => show(visit));
  // Bodies may be larger than forms are without files.
  pages.postFile(path, check);
}

interface Shown {
  received?: Received;
  checked?: SignatureCheck;
  error?: FormError;
}

async function show(visit: Visit, shown: Shown = {}): Promise<Response> {
  const id = visit.param('organization');
  const { node, ...read } = await visit.run(WEBHOOK, { id, webhookId: visit.param('webhook') });
  const organization = managed(read.organization);
  if (node?.__typename !== 'Webhook' || node.organizationId !== id) throw notFound('Webhook');
  const list = sectionHref(visit, 'webhooks');
  return consolePage({
    visit,
    title: 'Check a signature',
    organization,
    crumbs: [
      { href: list, text: 'Webhooks' },
      { href: `${list}/${node.id}`, text: new URL(node.url).host },
    ],
    error: shown.error,
    children: SignatureView({ path: visit.path, formToken: visit.formToken, ...shown }),
  });
}

/** Headers as they were pasted, or the value of the one alone. */
const signatureIn = (headers: string): string =>
  (/^\s*docgraph-signature\s*:(.*)$/im.exec(headers)?.[1] ?? headers).trim();

/** Browsers send line breaks as CR LF; those at the end come from pasting. */
const receivedOf = (form: URLSearchParams): Received => ({
  headers: form.get('headers') ?? '',
  body: (form.get('body') ?? '').replaceAll('\r\n', '\n').replace(/\n+$/, ''),
});

function check(visit: Visit, form: URLSearchParams): Promise<Response> {
  const received = receivedOf(form);
  const signature = signatureIn(received.headers);
  if (!signature) return show(visit, { received, error: fieldError('headers', 'Enter the header.') });
  if (!received.body) return show(visit, { received, error: fieldError('body', 'Enter the body.') });
  return attempt(
    async () => {
      const { node } = await visit.run(CHECK, {
        ...{ webhookId: visit.param('webhook'), signature, body: received.body },
      });
      const checked = node?.__typename === 'Webhook' ? node.signatureCheck : undefined;
      return show(visit, { received, checked });
    },
    (error) => show(visit, { received, error }),
  );
}
