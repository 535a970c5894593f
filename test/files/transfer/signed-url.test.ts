import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSignedUrls } from '../../../src/files/transfer/signed-url.ts';
import { newId } from '../../../src/lib/id.ts';

const SECRET = Buffer.alloc(32, 'one secret ');
const OTHER = Buffer.alloc(32, 'another ');
const addresses = createSignedUrls(SECRET, 'https://docs.example.com//');
const key = newId('Blob');
const upload = { key, maxSize: 1_000, organizationId: newId('Organization') };
const download = { key, filename: 'Ünited “report” 🌍.pdf', contentType: 'application/pdf', inline: true };
const image = { key, contentType: 'application/pdf', page: 2, width: 400 };
const tokenOf = (address: string) => address.split('/').at(-1) as string;

/** A token as ours, but for what is changed. */
const forge = (claims: Record<string, unknown>, secret = SECRET, alg = 'HS256') =>
  new SignJWT({ sub: key, aud: 'upload', max: 9, exp: Date.now() / 1000 + 60, ...claims })
    .setProtectedHeader({ alg })
    .sign(secret);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a signed URL', () => {
  it('is below the public URL, and needs no escaping', async () => {
    for (const address of [
      await addresses.upload(upload, 60_000),
      await addresses.uploadSession(upload, 60_000),
      await addresses.download(download, 60_000),
      await addresses.image(image, 60_000),
    ]) {
      expect(address).toMatch(/^https:\/\/docs\.example\.com\/(?:uploads|downloads|images)\/[\w.-]+$/);
      expect(decodeURIComponent(address)).toBe(address);
    }
    expect(addresses.page('/sign/x')).toBe('https://docs.example.com/sign/x');
  });

  it('returns the values that it was created from', async () => {
    const token = async (address: Promise<string>) => tokenOf(await address);
    expect(await addresses.readUpload(await token(addresses.upload(upload, 60_000)))).toEqual({
      ...upload,
      session: false,
    });
    expect(await addresses.readUpload(await token(addresses.uploadSession(upload, 60_000)))).toEqual({
      ...upload,
      session: true,
    });
    expect(await addresses.readDownload(await token(addresses.download(download, 60_000)))).toEqual(download);
    expect(await addresses.readImage(await token(addresses.image(image, 60_000)))).toEqual(image);
  });

  it('accepts a name that is not well-formed Unicode', async () => {
    const address = await addresses.download({ ...download, filename: 'a\ud800b' }, 60_000);
    expect((await addresses.readDownload(tokenOf(address)))?.filename).toBe('a\ufffdb');
  });

  it('expires', async () => {
    let now = Date.now();
    const { upload: sign, readUpload } = createSignedUrls(SECRET, 'https://docs.example.com', () => now);
    const [past, future] = [await sign(upload, -1_000), await sign(upload, 60_000)];
    expect(await readUpload(tokenOf(past))).toBeUndefined();
    now += 58_000;
    expect(await readUpload(tokenOf(future))).toBeDefined();
    now += 3_000;
    expect(await readUpload(tokenOf(future))).toBeUndefined();
  });

  it('is valid for one purpose only', async () => {
    const [up, down] = [await addresses.upload(upload, 60_000), await addresses.download(download, 60_000)];
    expect(await addresses.readDownload(tokenOf(up))).toBeUndefined();
    expect(await addresses.readUpload(tokenOf(down))).toBeUndefined();
    expect(await addresses.readImage(tokenOf(down))).toBeUndefined();
  });
});

describe('a token', () => {
  it('with any changed character is invalid', async () => {
    const token = tokenOf(await addresses.upload(upload, 60_000));
    for (let position = 0; position < token.length; position++) {
      const other = token[position] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, position)}${other}${token.slice(position + 1)}`;
      expect([position, await addresses.readUpload(changed)]).toEqual([position, undefined]);
    }
  });

  it('has one valid spelling', async () => {
    const token = tokenOf(await addresses.upload(upload, 60_000));
    for (const other of [
      `${token}=`,
      `${token}.`,
      ` ${token}`,
      `${token}\n`,
      `.${token}`,
      token.toUpperCase(),
    ])
      expect(await addresses.readUpload(other)).toBeUndefined();
  });

  it.each([
    ['that is nothing', ''],
    ['of dots', '..'],
    ['of rubbish', 'a.b.c'],
    ['that is long', `${'a'.repeat(100_000)}.b.c`],
    ['with NUL', '\0'],
  ])('%s is none', async (_, token) => {
    expect([await addresses.readUpload(token), await addresses.readDownload(token)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('signed with another secret is invalid', async () => {
    expect(await addresses.readUpload(await forge({}))).toEqual({ key, maxSize: 9, session: false });
    expect(await addresses.readUpload(await forge({}, OTHER))).toBeUndefined();
  });

  it('cannot choose its algorithm', async () => {
    const claims = part({ sub: key, aud: 'upload', max: 9, exp: Date.now() / 1000 + 60 });
    const none = `${part({ alg: 'none' })}.${claims}`;
    const signature = createHmac('sha256', SECRET).update(none).digest('base64url');
    for (const token of [`${none}.`, `${none}.${signature}`, `${none}.${'A'.repeat(43)}`])
      expect(await addresses.readUpload(token)).toBeUndefined();
    const long = Buffer.alloc(64, SECRET);
    expect(
      await createSignedUrls(long, 'http://x').readUpload(await forge({}, long, 'HS512')),
    ).toBeUndefined();
  });

  it.each([
    ['no end', { exp: undefined }],
    ['no object', { sub: undefined }],
    ['an object that is no blob', { sub: newId('Document') }],
    ['a path for an object', { sub: '../../etc/passwd' }],
    ['no limit', { max: undefined }],
    ['a limit below nothing', { max: -1 }],
    ['a limit that is text', { max: '9' }],
    ['a limit of half a byte', { max: 0.5 }],
    ['another use', { aud: 'something-else' }],
    ['two uses', { aud: ['upload', 'download'] }],
    ['a later beginning', { nbf: Date.now() / 1000 + 60 }],
  ])('with %s is none', async (_, claims) => {
    expect(await addresses.readUpload(await forge(claims))).toBeUndefined();
  });
});

describe('a token of a file or a picture', () => {
  const name = { aud: 'download', name: 'a.pdf', type: 'application/pdf', inline: false };
  const picture = { aud: 'image', type: 'application/pdf', page: 1, width: 1 };
  const read = async (claims: Record<string, unknown>) => {
    const token = await forge(claims);
    return (await addresses.readDownload(token)) ?? (await addresses.readImage(token));
  };

  it('has a fixed format', async () => {
    expect(await read(name)).toMatchObject({ filename: 'a.pdf', inline: false });
    expect(await read(picture)).toMatchObject({ page: 1, width: 1 });
  });

  it.each([
    ['a use of no kind', { ...picture, ...name, aud: 'something-else' }],
    ['an object that is no blob', { ...name, sub: newId('Document') }],
    ['a picture of what is no blob', { ...picture, sub: newId('Document') }],
    ['no name', { ...name, name: undefined }],
    ['no type', { ...name, type: undefined }],
    ['no word on how to show it', { ...name, inline: undefined }],
    ['a picture of no type', { ...picture, type: undefined }],
    ['a page before the first', { ...picture, page: 0 }],
    ['half a page', { ...picture, page: 1.5 }],
    ['no width', { ...picture, width: 0 }],
    ['half a pixel', { ...picture, width: 1.5 }],
  ])('with %s is none', async (_, claims) => {
    expect(await read(claims)).toBeUndefined();
  });
});

describe('the secret', () => {
  it('can be replaced while signed URLs are in use', async () => {
    const old = tokenOf(await addresses.upload(upload, 60_000));
    const both = createSignedUrls([OTHER, SECRET], 'https://docs.example.com');
    const fresh = tokenOf(await both.upload(upload, 60_000));
    expect([await both.readUpload(old), await both.readUpload(fresh)]).toEqual([
      { ...upload, session: false },
      { ...upload, session: false },
    ]);
    expect(await addresses.readUpload(fresh)).toBeUndefined();
    const later = createSignedUrls(OTHER, 'https://docs.example.com');
    expect([await later.readUpload(old), (await later.readUpload(fresh))?.key]).toEqual([undefined, key]);
  });

  it('is refused if it is short or missing', () => {
    expect(() => createSignedUrls(Buffer.alloc(31), 'http://x')).toThrow(RangeError);
    expect(() => createSignedUrls([SECRET, Buffer.alloc(31)], 'http://x')).toThrow(RangeError);
    expect(() => createSignedUrls([], 'http://x')).toThrow(
      new RangeError('URLs are signed with secrets of 32 bytes or more.'),
    );
  });
});
