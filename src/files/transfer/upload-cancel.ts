import { type ByteCall, type ByteService, Refusal, requireUploadTicket } from './byte-service.ts';

/** "Client Closed Request": how the resumable protocol answers a cancellation. */
const CANCELLED = 499;

/** Ends an upload and discards its bytes; repeatable. Bytes that are complete are removed by the sweep. */
export async function cancelUpload(service: ByteService, call: ByteCall): Promise<Response> {
  const { key } = await requireUploadTicket(service, call);
  if (!(await service.cancelled(key)))
    throw new Refusal(409, 'This upload is a document already. Delete the document instead.');
  await service.store.discard(key);
  return new Response(null, { status: CANCELLED, headers: { 'Content-Length': '0' } });
}
