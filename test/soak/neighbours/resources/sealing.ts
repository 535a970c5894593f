import { widePng } from '../../../files/content/picture-source.ts';
import { smallPdf } from '../files.ts';
import type { Resource } from '../measure.ts';
import type { Tenant } from '../town.ts';
import { keepSending, until } from '../wait.ts';

const DRAWN = `data:image/png;base64,${widePng(4_000).toString('base64')}`;

const SIGNERS = 'session { id recipients(first: 1) { nodes { id } } }';

/** Has a document signed by its owner; gives its id. */
async function sign(tenant: Tenant, signatures: number, value: string): Promise<string> {
  const { owner, projectId } = tenant;
  const [documentId] = (await tenant.upload([{ name: 'contract.pdf', bytes: smallPdf() }])) as [string];
  const { viewer } = await owner.graph('{ viewer { email } }');
  const recipients = [{ email: viewer.email, fullName: 'Owner' }];
  const { session } = await owner.mutate('updateSignatureSession', { documentId, recipients }, SIGNERS);
  const recipientId = session.recipients.nodes[0].id;
  const { form } = await owner.mutate('ensureSignatureForm', { documentId }, 'form { id }');
  const fields = Array.from({ length: signatures }, (_, index) => ({
    type: 'SIGNATURE',
    pageIndex: 0,
    x: 10 + (index % 5) * 15,
    y: 10 + Math.floor(index / 5) * 15,
    recipientId,
  }));
  const added = await owner.mutate('addSignatureFields', { formId: form.id, fields }, 'fields { id }');
  await owner.mutate('updateSignatureSession', { documentId, begin: true }, 'session { id }');
  const values = added.fields.map(({ id: fieldId }: { id: string }) => ({ fieldId, value }));
  await owner.mutate('signDocument', { sessionId: session.id, recipientId, values }, 'state');
  if (!projectId) throw new Error('no project');
  return documentId;
}

/** Documents with 25 drawn signatures of the largest size. */
export const sealing: Resource = {
  aggress: ({ aggressor }, signal) => keepSending(500, () => sign(aggressor, 25, DRAWN), signal),
  async work(victim, _, signal) {
    const id = await sign(victim, 1, 'Owner');
    const query = 'query ($id: ID!) { document(id: $id) { signatureSession { sealing { state } } } }';
    let state = 'PENDING';
    await until(async () => {
      state = (await victim.next.graph(query, { id })).document.signatureSession.sealing.state;
      return state !== 'PENDING';
    }, signal);
    if (state !== 'SEALED' && !signal.aborted) throw new Error(`the sealing is ${state}`);
  },
};
