import { randomUUID } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { crossOrigin } from '../../lib/cross-origin.ts';
import { TryLater } from '../../lib/fair-slots.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import { type ByteEnv, type ByteService, Refusal, tryAgain } from './byte-service.ts';
import { download } from './download-endpoint.ts';
import { FairIntake } from './fair-intake.ts';
import { imageEndpoint } from './image-endpoint.ts';
import { upload } from './upload-endpoint.ts';

const UPLOADS = '/uploads/:token';
const DOWNLOADS = '/downloads/:token';
const IMAGES = '/images/:token';

/**
 * The signed addresses: bytes in and out, past every API. The address is the only permission, no credential counts,
 * so pages of any origin may use it. Stands at the root, where `signedAddresses` says.
 */
export function byteRouter(door: ByteService): Hono<ByteEnv> {
  const app = new Hono<ByteEnv>();
  const intake = new FairIntake();
  for (const path of [UPLOADS, DOWNLOADS, IMAGES]) app.use(path, open, guarded);
  app.on(['POST', 'PUT'], UPLOADS, (call) => upload(door, intake, call));
  app.get(DOWNLOADS, (call) => download(door, call));
  app.get(IMAGES, imageEndpoint(door));
  app.all(UPLOADS, () => refuseMethod('POST, PUT, OPTIONS'));
  for (const path of [DOWNLOADS, IMAGES]) app.all(path, () => refuseMethod('GET, HEAD, OPTIONS'));
  app.onError((error, call) => failed(door, call, error));
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

const open = crossOrigin({ exposed, allowMethods: ['GET', 'HEAD', 'POST', 'PUT'], maxAge: 86_400 });

const guarded: MiddlewareHandler<ByteEnv> = async (call, next) => {
  if (!call.get('requestId')) call.set('requestId', randomUUID());
  await next();
  const { headers } = call.res;
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
};

function refuseMethod(allowed: string): never {
  throw new Refusal(405, `This address takes ${allowed} alone.`, { Allow: allowed });
}

/** What a failure of the store means to the client. The first three happen where two requests meet at one object. */
const STORE_REFUSALS: Record<StoreErrorCode, Refusal> = {
  busy: tryAgain('Another request is sending to this address. Ask again when it is through.'),
  finished: tryAgain('Another request has just ended this upload. Ask again.'),
  offset: tryAgain(
    'Another request has just sent to this address. Ask how much has arrived, and go on from there.',
  ),
  full: new Refusal(507, 'There is no room left for this upload.'),
  missing: new Refusal(404, 'The file of this address is gone.'),
  unavailable: tryAgain('The storage does not answer. Ask again.'),
};

function failed(door: ByteService, call: Context<ByteEnv>, error: unknown): Response {
  const refusal = refusalOf(error);
  const told = refusal instanceof Refusal;
  if (!told || refusal === STORE_REFUSALS.full || refusal === STORE_REFUSALS.unavailable)
    door.report(error, call.get('requestId'));
  return problem(call, told ? refusal : new Refusal(500, 'Something went wrong on our side.'));
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StoreError) return STORE_REFUSALS[error.code];
  if (!(error instanceof TryLater)) return error;
  return new Refusal(503, error.message, { 'Retry-After': `${error.retryAfter}` });
}

/** The contract's `message`, and the members of RFC 9457 beside it. */
function problem(call: Context<ByteEnv>, { status, message, headers }: Refusal): Response {
  const requestId = call.get('requestId');
  const body = { message, type: 'about:blank', title: message, status, detail: message, requestId };
  return call.json(body, status, headers);
}
