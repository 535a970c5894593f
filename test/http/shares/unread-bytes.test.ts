import { describe, expect, it } from 'vitest';
import { UnreadBytes } from '../../../src/http/shares/unread-bytes.ts';

const LIMIT = 800;
const ann = { tenant: 'a', user: 'ann' };
const ben = { tenant: 'a', user: 'ben' };
const eve = { tenant: 'b', user: 'eve' };
const none = () => {};

/** Whether a response of `bytes` is refused, or any before it is built. */
const refuses = (unread: UnreadBytes, reader: typeof ann, bytes?: number) => {
  try {
    if (bytes === undefined) unread.requireShare(reader);
    else unread.requireRoom(reader, bytes);
    return false;
  } catch {
    return true;
  }
};

describe('bytes that nobody has read', () => {
  it('leave a user an eighth, a tenant a quarter, and others theirs', () => {
    const unread = new UnreadBytes(LIMIT);
    unread.hold(ann, 100, none);
    expect([refuses(unread, ann), refuses(unread, ben)]).toEqual([true, false]);
    unread.hold(ben, 90, none);
    expect([refuses(unread, ben, 10), refuses(unread, ben, 11), refuses(unread, eve, 100)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('let nothing more be built for a share that had no room just now, until some of it is read', () => {
    const unread = new UnreadBytes(LIMIT);
    const release = unread.hold(ann, 90, none);
    unread.hold(ben, 90, none);
    const before = [ann, ben].map((each) => refuses(unread, each));
    expect([refuses(unread, ann, 11), refuses(unread, ann, 5)]).toEqual([true, false]);
    const after = [ann, ben].map((each) => refuses(unread, each));
    release();
    const read = [ann, ben].map((each) => refuses(unread, each));
    expect({ before, after, read }).toEqual({
      before: [false, false],
      after: [true, false],
      read: [false, false],
    });
  });

  it('make room once, when they are read', () => {
    const unread = new UnreadBytes(LIMIT);
    const release = unread.hold(ann, 100, none);
    release();
    release();
    expect([unread.total, refuses(unread, ann, 100)]).toEqual([0, false]);
  });

  it('may be more than a share in one response', () => {
    const unread = new UnreadBytes(LIMIT);
    expect(refuses(unread, ann, 500)).toBe(false);
    unread.hold(ann, 500, none);
    expect(refuses(unread, ann)).toBe(true);
  });

  it('beyond the limit of all are given up, the oldest of the tenant with the most first', () => {
    const unread = new UnreadBytes(LIMIT);
    const given: string[] = [];
    const hold = (reader: typeof ann, bytes: number, name: string) =>
      unread.hold(reader, bytes, () => given.push(name));
    hold(eve, 100, 'small');
    hold(ann, 300, 'old');
    hold(ben, 300, 'newer');
    hold({ tenant: 'c', user: 'cy' }, 200, 'last');
    expect([given, unread.total]).toEqual([['old'], 600]);
    hold({ tenant: 'd', user: 'di' }, 900, 'alone');
    expect([given.length, unread.total]).toEqual([4, 900]);
  });

  it('do not mix up tenants and users whose names run together', () => {
    const unread = new UnreadBytes(LIMIT);
    unread.hold({ tenant: 'x', user: 'yz' }, 100, none);
    expect(refuses(unread, { tenant: 'xy', user: 'z' })).toBe(false);
  });
});
