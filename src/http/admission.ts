import type { Context as Call, MiddlewareHandler } from 'hono';
import { busy } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { Busy } from '../lib/fair-slots.ts';
import { SECOND } from '../lib/time.ts';
import { watchEventLoop } from './loop-load.ts';
import { TenantAdmission } from './tenant-admission.ts';

/** Requests of one tenant that run at a time; of the one that wants the most, fewer where the main thread is busy. */
const RUNNING = { alone: 50, light: 16 };
const SHARED = { calm: 8, busy: 1 };

/** Milliseconds after which a request that still runs makes room for the next of its tenant. */
const LEASE = SECOND;

export interface AdmissionOptions {
  /** Requests that may be under way in the whole process. */
  requestsAtOnce: number;
  /** Milliseconds that a request may take. */
  request: number;
}

export interface Admission {
  /** Waits until the tenant of the viewer (their network, without an account) may use the process. Throws UNAVAILABLE. */
  enter(call: Call, viewer: Viewer, network: string): Promise<void>;
  /** Ends what was entered once the answer is made. */
  middleware: MiddlewareHandler;
}

/** Shares the main thread of this process between tenants. */
export function admission({ requestsAtOnce, request }: AdmissionOptions): Admission {
  const most = Math.max(Math.floor(requestsAtOnce / 2), 1);
  const isBusy = watchEventLoop();
  const tenants = new TenantAdmission({
    ...RUNNING,
    get shared() {
      return isBusy() ? SHARED.busy : SHARED.calm;
    },
    limit: most,
    maxWait: request,
    lease: LEASE,
  });
  const open = new WeakMap<Call, () => void>();
  return {
    async enter(call, viewer, network) {
      // A public link in the body follows a credential in the header: one request enters once.
      if (open.has(call)) return;
      try {
        open.set(call, await tenants.enter(tenantOf(viewer) ?? network, viewer.userId || network));
      } catch (error) {
        throw error instanceof Busy ? busy(error) : error;
      }
    },
    middleware: (call, next) => next().finally(() => open.get(call)?.()),
  };
}
