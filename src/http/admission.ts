import type { Context as Call, MiddlewareHandler } from 'hono';
import { busy } from '../domain/kernel/errors.ts';
import { tenantOf, type Viewer } from '../domain/kernel/viewer.ts';
import { Busy } from '../lib/fair-slots.ts';
import { SECOND } from '../lib/time.ts';
import { watchEventLoop } from './loop-load.ts';
import type { RequestSlots } from './request-slots.ts';
import { TenantAdmission } from './shares/tenant-admission.ts';

/** Concurrent requests of one tenant (see ShareLimits); fewer of the busiest tenant while the main thread is busy. */
const RUNNING = { exclusive: 50, light: 16 };
const SHARED = { calm: 3, busy: 1 };

/** Milliseconds after which a running request no longer counts, so that the next of its tenant may start. */
const LEASE = SECOND;

export interface AdmissionOptions {
  /** Maximum number of concurrent requests in the process. */
  requestsAtOnce: number;
  /** Milliseconds that a request may take. */
  request: number;
  slots: RequestSlots;
}

export interface Admission {
  /**
   * Waits until the viewer's tenant (their network, for an anonymous viewer) has a free share. Throws UNAVAILABLE when
   * too many requests of the tenant wait, or this one waited too long.
   */
  enter(call: Call, viewer: Viewer, network: string): Promise<void>;
  /** Releases the share when the response is complete. */
  middleware: MiddlewareHandler;
}

/** Shares the main thread of this process fairly between tenants. */
export function admission({ requestsAtOnce, request, slots }: AdmissionOptions): Admission {
  const isBusy = watchEventLoop();
  const tenants = new TenantAdmission({
    ...RUNNING,
    get shared() {
      return isBusy() ? SHARED.busy : SHARED.calm;
    },
    limit: Math.max(Math.floor(requestsAtOnce / 2), 1),
    maxWait: request,
    lease: LEASE,
  });
  const releases = new WeakMap<Call, () => void>();
  return {
    async enter(call, viewer, network) {
      // A request with a credential in its header and a public link in its body gets here twice, and enters once.
      if (releases.has(call)) return;
      const tenant = tenantOf(viewer);
      try {
        if (tenant && !slots.claim(call, tenant)) throw new Busy();
        releases.set(call, await tenants.enter(tenant ?? network, viewer.userId || network));
      } catch (error) {
        throw error instanceof Busy ? busy(error) : error;
      }
    },
    middleware: (call, next) => next().finally(() => releases.get(call)?.()),
  };
}
