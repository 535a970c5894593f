import { randomUUID } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { crossOrigin } from '../../lib/cross-origin.ts';
import { TryLater } from '../../lib/fair-slots.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import { downloadArchive } from './archive-endpoint.ts';
import { downloadResults } from './bulk-results-endpoint.ts';
import { type ByteEnv, type ByteService, Refusal, tryAgain } from './byte-service.ts';
import { download } from './download-endpoint.ts';
import { FairIntake } from './fair-intake.ts';
import { imageEndpoint } from './image-endpoint.ts';
import { cancelUpload } from './upload-cancel.ts';
import { upload } from './upload-endpoint.ts';

const UPLOADS = '/uploads/:token';
const DOWNLOADS = '/downloads/:token';
const IMAGES = '/images/:token';
const BULK_RESULTS = '/bulk-results/:token';
const ARCHIVES = '/archives/:token';

/**
 * Router of the signed URLs for uploads, downloads, pictures, results of bulk operations and archives. The URL is the only permission; credentials are ignored,
 * so that pages of any origin may use it. Mounted at the root, as `createSignedUrls` writes the URLs.
 */
export function byteRouter(service: ByteService): Hono<ByteEnv> {
  const app = new Hono<ByteEnv>();
  const intake = new FairIntake();
  for (const path of [UPLOADS, DOWNLOADS, IMAGES, BULK_RESULTS, ARCHIVES]) app.use(path, open, guarded);
  app.on(['POST', 'PUT'], UPLOADS, (call) => upload(service, intake, call));
  app.delete(UPLOADS, (call) => cancelUpload(service, call));
  app.get(DOWNLOADS, (call) => download(service, call));
  app.get(IMAGES, imageEndpoint(service));
  app.get(BULK_RESULTS, (call) => downloadResults(service, call));
  app.get(ARCHIVES, (call) => downloadArchive(service, call));
  app.all(UPLOADS, () => refuseMethod('POST, PUT, DELETE, OPTIONS'));
  for (const path of [DOWNLOADS, IMAGES, BULK_RESULTS, ARCHIVES])
    app.all(path, () => refuseMethod('GET, HEAD, OPTIONS'));
  app.onError((error, call) => failed(service, call, error));
  return app;
}

const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Location',
  'Range',
  'Retry-After',
];

const open = crossOrigin({ exposed, allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'], maxAge: 86_400 });

const guarded: MiddlewareHandler<ByteEnv> = async (call, next) => {
  if (!call.get('requestId')) call.set('requestId', randomUUID());
  await next();
  const { headers } = call.res;
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
};

function refuseMethod(allowed: string): never {
  throw new Refusal(405, `This URL supports only ${allowed}.`, { Allow: allowed });
}

/** Responses to errors of the store. The first three are due to concurrent requests for one object. */
const STORE_REFUSALS: Record<StoreErrorCode, Refusal> = {
  busy: tryAgain('Another request is sending to this URL. Retry when it has finished.'),
  finished: tryAgain('Another request has just finished this upload. Retry.'),
  offset: tryAgain(
    'Another request has just sent to this URL. Query the upload status, and continue from there.',
  ),
  full: new Refusal(507, 'There is no storage space left for this upload.'),
  missing: new Refusal(404, 'The file of this URL does not exist any more.'),
  unavailable: tryAgain('The storage does not answer. Retry.'),
};

function failed(service: ByteService, call: Context<ByteEnv>, error: unknown): Response {
  const refusal = refusalOf(error);
  const isRefusal = refusal instanceof Refusal;
  if (!isRefusal || refusal === STORE_REFUSALS.full || refusal === STORE_REFUSALS.unavailable)
    service.report(error, call.get('requestId'));
  return problem(call, isRefusal ? refusal : new Refusal(500, 'Something went wrong on our side.'));
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StoreError) return STORE_REFUSALS[error.code];
  if (!(error instanceof TryLater)) return error;
  return new Refusal(503, error.message, { 'Retry-After': `${error.retryAfter}` });
}

/** The contract's `message`, and the members of RFC 9457. */
function problem(call: Context<ByteEnv>, { status, message, headers }: Refusal): Response {
  const requestId = call.get('requestId');
  const body = { message, type: 'about:blank', title: message, status, detail: message, requestId };
  return call.json(body, status, headers);
}
