import { describe, expect, it } from 'vitest';
import { NotConvertible } from '../../../src/files/office/converter.ts';
import { gotenberg } from '../../../src/files/office/gotenberg.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { TryLater } from '../../../src/lib/fair-slots.ts';
import { newGotenberg } from '../../support/office/gotenberg-server.ts';

const FILE = bytesSource(Buffer.from('a file'));

describe('a file that Gotenberg converts', () => {
  it('is posted under a neutral name, and its PDF is what comes back', async () => {
    const server = await newGotenberg((response) => response.end('%PDF-1.7'));
    const bytes = await gotenberg(`${server.url}/`).convert(FILE, 'odt');
    expect(Buffer.from(bytes).toString()).toBe('%PDF-1.7');
    expect(server).toMatchObject({ names: ['file.odt'], paths: ['/forms/libreoffice/convert'] });
  });

  it.each<[number, RegExp, number]>([
    [400, /cannot be opened/, 0],
    [413, /larger than Gotenberg takes/, 0],
    [500, /Gotenberg failed/, 1],
    [503, /too long/, 1],
  ])('is refused where the status is %i', async (status, reason, retries) => {
    const server = await newGotenberg((response) => response.writeHead(status).end('no'));
    const error = await gotenberg(server.url)
      .convert(FILE, 'docx')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotConvertible);
    expect(error).toMatchObject({ message: expect.stringMatching(reason), retries });
  });

  it.each([401, 404, 429])('waits where the status is %i', async (status) => {
    const server = await newGotenberg((response) => response.writeHead(status).end());
    await expect(gotenberg(server.url).convert(FILE, 'docx')).rejects.toBeInstanceOf(TryLater);
  });

  it('waits where there is no Gotenberg, and does not follow where it is sent', async () => {
    const server = await newGotenberg((response) => response.writeHead(307, { location: '/other' }).end());
    await expect(gotenberg(server.url).convert(FILE, 'docx')).rejects.toBeInstanceOf(TryLater);
    expect(server.paths).toHaveLength(1);
    server.close();
    await expect(gotenberg(server.url).convert(FILE, 'docx')).rejects.toBeInstanceOf(TryLater);
  });

  it('is given up after its time, and where its PDF is too large', async () => {
    const silent = await newGotenberg(() => {});
    await expect(gotenberg(silent.url, { time: 100 }).convert(FILE, 'docx')).rejects.toThrow(
      'takes too long',
    );
    const endless = await newGotenberg((response) => response.end(Buffer.alloc(2 ** 20)));
    await expect(gotenberg(endless.url, { output: 2 ** 16 }).convert(FILE, 'docx')).rejects.toThrow(
      'larger than 100 MB',
    );
  });

  it('ends with the signal of its caller', async () => {
    const silent = await newGotenberg(() => {});
    const stop = new AbortController();
    const running = gotenberg(silent.url).convert(FILE, 'docx', stop.signal);
    setTimeout(() => stop.abort(new Error('stopping')), 50);
    await expect(running).rejects.toThrow('stopping');
  });
});
