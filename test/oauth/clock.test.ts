import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryRateLimiter } from '../../src/auth/rate-limiter.ts';
import { signIn } from '../../src/auth/sign-in.ts';
import { databaseClock, databaseTime } from '../../src/db/clock.ts';
import { rotateClientSecret } from '../../src/domain/oauth/client-change.ts';
import { receiveUpload, reserveUploads } from '../../src/domain/uploads/upload.ts';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';
import { newId } from '../../src/lib/id.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { PASSWORD, withPassword } from '../support/browser.ts';
import { ask, browser, encode, newClient, newOAuthWorld, post } from '../support/oauth.ts';

afterEach(() => void vi.useRealTimers());

/** Shifts the clock of this process, but not of a database server, by this many milliseconds. */
const shiftClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** Longer than the lifetime of a code. */
const SKEWS = [
  ['behind', -70_000],
  ['ahead', 70_000],
  ['far behind', -3 * HOUR],
  ['far ahead', 3 * HOUR],
] as const;

// The embedded database uses the clock of its process.
describe.runIf(process.env.TEST_DATABASE_URL).each(SKEWS)('a process whose clock is %s', (_, skew) => {
  it('issues codes, tokens and pushed requests that work', async () => {
    const { app, confidential, as, user, redeem, refresh, api, introspect } = await newOAuthWorld();
    shiftClock(skew);
    const pushed = await post(app, '/oauth/par', { ...ask(confidential), ...as(confidential) });
    const answer = await user.approve({
      client_id: confidential.id,
      request_uri: pushed.body.request_uri,
    });
    const issued = await redeem(confidential, answer.searchParams.get('code') as string);
    expect(issued.status).toBe(200);
    expect(await api(issued.body.access_token)).toBe(200);
    expect((await refresh(confidential, issued.body.refresh_token)).status).toBe(200);
    expect((await introspect(confidential, issued.body.access_token)).body.active).toBe(true);
  });

  it('issues and accepts JWT access tokens that expire by the clock of the database', async () => {
    const { db, owner, organization, tokens, api } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, { tokenFormat: 'JWT' });
    shiftClock(skew);
    const { access_token } = await tokens(client);
    expect(await api(access_token)).toBe(200);
    const now = await databaseTime(db);
    const { iat, exp } = JSON.parse(
      Buffer.from(access_token.split('.')[1] as string, 'base64url').toString(),
    );
    expect(Math.abs(iat - now.getTime() / 1_000)).toBeLessThan(30);
    expect(exp - iat).toBe(HOUR / 1_000);
  });

  it('creates valid sign-ins, and rotates secrets of which both work', async () => {
    const { app, db, owner, confidential, introspect } = await newOAuthWorld();
    const account = await withPassword(db, owner);
    shiftClock(skew);
    const limits = { signIn: HOUR, signInTries: 5, signInTriesAddress: 5, signInTriesAccount: 5 };
    const signIns = { db, limits, rateLimiter: memoryRateLimiter({ window: MINUTE }) };
    const begun = await signIn(signIns, {
      email: account.email,
      password: PASSWORD,
      address: '192.0.2.1',
      userAgent: 'test',
    });
    if (!('secret' in begun)) throw new Error('not signed in');
    const page = await browser(app, `docgraph_session=${begun.secret}`).request(encode(ask(confidential)));
    expect(page.status).toBe(200);
    const { secret } = await rotateClientSecret(await owner.context(), { clientId: confidential.id });
    for (const each of [{ ...confidential, secret }, confidential])
      expect((await introspect(each, 'x')).status).toBe(200);
  });

  it('signs URLs with the exact lifetime', async () => {
    const { db } = await newOAuthWorld();
    const secret = new Uint8Array(32);
    const right = createSignedUrls(secret, 'http://x', await databaseClock(db));
    const ticket = { key: newId('Blob'), maxSize: 1 };
    const token = (address: string) => address.split('/').at(-1) as string;
    const early = token(await right.upload(ticket, MINUTE));
    shiftClock(skew);
    const shifted = createSignedUrls(secret, 'http://x', await databaseClock(db));
    expect(await shifted.readUpload(early)).toMatchObject(ticket);
    expect(await right.readUpload(token(await shifted.upload(ticket, MINUTE)))).toMatchObject(ticket);
    expect(await right.readUpload(token(await shifted.upload(ticket, -MINUTE)))).toBeUndefined();
  });

  it('reserves uploads that can be received', async () => {
    const { db, owner, project } = await newOAuthWorld();
    shiftClock(skew);
    const [upload] = await reserveUploads(await owner.context(), { projectId: project.id });
    const blob = { size: 1, sha256: new Uint8Array(32) };
    expect(await receiveUpload(db, upload?.blobId as string, blob as never)).toBe(true);
  });
});
