import { describe, expect, it } from 'vitest';
import { TenantAdmission } from '../../../src/http/shares/tenant-admission.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';

const LIMITS = { exclusive: 4, light: 3, shared: 1, limit: 6, maxWait: 5_000, lease: 5_000 };

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that are noted as they begin, and that can be ended. */
function requests(admission: TenantAdmission) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    enter: (tenant: string, user: string) => {
      const entered = admission.enter(tenant, user).then((end) => {
        begun.push(user);
        ends.push(end);
      });
      entered.catch(() => {}); // those that still wait at the end of a test are refused after it
      return entered;
    },
    endFirst: async () => {
      ends.shift()?.();
      await turn();
    },
  };
}

describe('requests of several tenants', () => {
  it('do not wait for those of a tenant who has many', async () => {
    const { begun, enter } = requests(new TenantAdmission(LIMITS));
    for (let index = 0; index < 6; index++) void enter('large', 'ann');
    await turn();
    await enter('small', 'bea');
    expect(begun).toEqual(['ann', 'ann', 'ann', 'ann', 'bea']);
  });

  it('leave a tenant one at a time while others are active', async () => {
    const { begun, enter, endFirst } = requests(new TenantAdmission(LIMITS));
    await enter('small', 'bea');
    for (let index = 0; index < 3; index++) void enter('large', 'ann');
    await turn();
    expect(begun).toEqual(['bea', 'ann']);
    await endFirst();
    await endFirst();
    expect(begun).toEqual(['bea', 'ann', 'ann']);
  });

  it('of one user leave slots to others of the tenant', async () => {
    const { enter } = requests(new TenantAdmission(LIMITS));
    const many = await Promise.allSettled(Array.from({ length: 4 }, () => enter('one', 'ann')));
    expect(many.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    await expect(enter('one', 'ann')).rejects.toThrow(Busy);
    void enter('one', 'bea');
    await expect(enter('one', 'ann')).rejects.toThrow(Busy);
  });

  it('of one tenant are let in user by user', async () => {
    const { begun, enter, endFirst } = requests(new TenantAdmission({ ...LIMITS, exclusive: 2 }));
    for (let index = 0; index < 4; index++) void enter('one', 'ann');
    void enter('one', 'bea');
    await turn();
    await endFirst();
    expect(begun).toEqual(['ann', 'ann', 'bea']);
  });

  it('are refused where too many of the tenant are under way, and when they waited for too long', async () => {
    const { enter, begun } = requests(new TenantAdmission({ ...LIMITS, exclusive: 1, maxWait: 50 }));
    const all = Array.from({ length: 7 }, () => enter('one', 'ann'));
    await expect(all.pop()).rejects.toThrow(Busy);
    const waited = await Promise.allSettled(all);
    expect(waited.map(({ status }) => status)).toEqual(['fulfilled', ...Array(5).fill('rejected')]);
    expect(begun).toHaveLength(1);
  });

  it('make room for the next after the lease, and count as under way until they end', async () => {
    const admission = new TenantAdmission({ ...LIMITS, exclusive: 1, limit: 2, lease: 30 });
    const end = await admission.enter('one', 'ann');
    const next = await admission.enter('one', 'ann');
    await expect(admission.enter('one', 'ann')).rejects.toThrow(Busy);
    end();
    end();
    next();
    await expect(admission.enter('one', 'ann')).resolves.toBeTypeOf('function');
  });
});
