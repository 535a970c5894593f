import { describe, expect, it } from 'vitest';
import { type HeldByRequest, HeldRows } from '../../src/http/held-rows.ts';

const KIB = 2 ** 10;
/** A user may have 128 KiB, a tenant 256, and one request 200. */
const LIMITS = { total: 1_024 * KIB, request: 200 * KIB };
const ann = { tenant: 'a', user: 'ann' };
const ben = { tenant: 'a', user: 'ben' };
const eve = { tenant: 'b', user: 'eve' };

/** The code of the refusal, if there is one. */
function refusal(request: HeldByRequest, kib: number): string | undefined {
  try {
    request.add(kib * KIB);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
}

describe('rows of a request', () => {
  it('have a limit of their own, whatever others hold', () => {
    const request = new HeldRows(LIMITS).open(ann);
    expect([refusal(request, 150), refusal(request, 50), refusal(request, 1)]).toEqual([
      undefined,
      undefined,
      'COST_LIMIT_EXCEEDED',
    ]);
  });

  it('have to fit into the share of their user and their tenant beside those of other requests', () => {
    const rows = new HeldRows(LIMITS);
    const open = (reader: typeof ann, kib: number) => refusal(rows.open(reader), kib);
    expect([open(ann, 100), open(ann, 80), open(ben, 100), open(ben, 70), open(eve, 100)]).toEqual([
      undefined,
      'UNAVAILABLE',
      undefined,
      'UNAVAILABLE',
      undefined,
    ]);
    expect(rows.total).toBe(300 * KIB);
  });

  it('are never refused because of others while they are few', () => {
    const rows = new HeldRows(LIMITS);
    rows.open(ann).add(200 * KIB);
    const second = rows.open(ann);
    expect([refusal(second, 60), refusal(second, 10)]).toEqual([undefined, 'UNAVAILABLE']);
  });

  it('are held by few tenants at a time when all of the memory is used', () => {
    const rows = new HeldRows(LIMITS);
    const codes = Array.from({ length: 6 }, (_, index) =>
      refusal(rows.open({ tenant: `t${index}`, user: 'u' }), 190),
    );
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'UNAVAILABLE']);
  });

  it('make room when they are released, and count no more when the request has ended', () => {
    const rows = new HeldRows(LIMITS);
    const request = rows.open(ann);
    request.add(150 * KIB);
    request.release();
    request.release();
    expect([rows.total, refusal(request, 200)]).toEqual([0, undefined]);
    request.end();
    request.add(150 * KIB);
    expect(rows.total).toBe(0);
  });
});
