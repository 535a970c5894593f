import { describe, expect, it, vi } from 'vitest';
import { TenantShare } from '../../../src/lib/shares/tenant-share.ts';

const LIMITS = { exclusive: 8, light: 4, shared: 2 };

/** Begins as many of `count` tasks of the tenant as are allowed; returns how many began. */
function begin(share: TenantShare, tenant: string, count: number): number {
  for (let index = 0; index < count; index++) share.wait(tenant);
  let begun = 0;
  for (; begun < count && share.mayBegin(tenant); begun++) {
    share.stopWaiting(tenant);
    share.begin(tenant);
  }
  return begun;
}

describe('the share of a tenant', () => {
  it('is large while no other tenant is active', () => {
    expect(begin(new TenantShare(LIMITS), 'a', 20)).toBe(8);
  });

  it('is small while others are active, and larger for the tenant with less demand', () => {
    const share = new TenantShare(LIMITS);
    begin(share, 'b', 1);
    expect(begin(share, 'a', 20)).toBe(2);
    expect(begin(share, 'b', 10)).toBe(3);
    expect(share.running('b')).toBe(4);
  });

  it('is larger for the tenant whose tasks take less time, though it has more of them', () => {
    const share = new TenantShare(LIMITS);
    const times = { slow: 500, fast: 10 };
    for (let turn = 0; turn < 60; turn++)
      for (const [tenant, ms] of Object.entries(times)) {
        begin(share, tenant, 1);
        share.end(tenant, ms);
      }
    expect(begin(share, 'slow', 3)).toBe(2);
    expect(begin(share, 'fast', 20)).toBe(4);
    share.end('slow', 500);
    share.end('slow', 500);
    expect(begin(share, 'slow', 8)).toBe(2);
  });

  it('is not taken from what runs already, but nothing more begins', () => {
    const share = new TenantShare(LIMITS);
    begin(share, 'a', 20);
    expect(begin(share, 'b', 1)).toBe(1);
    share.end('a', 1);
    expect([share.running('a'), share.mayBegin('a')]).toEqual([7, false]);
  });

  it('is large again once the others have been quiet for a while', () => {
    vi.useFakeTimers();
    try {
      const share = new TenantShare(LIMITS);
      begin(share, 'b', 1);
      expect(begin(share, 'a', 20)).toBe(2);
      vi.advanceTimersByTime(2_100);
      expect(share.mayBegin('a')).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
