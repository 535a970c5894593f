import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../../support/database.ts';
import { archiveFolder, filesIn, importFrom, sha256 } from '../archive/archives.ts';
import { bytesOf, newExport, readExport } from './exports.ts';

describe('the archive of an export', () => {
  it('has the size that the export says, and is imported on another server', async () => {
    const { organization, owner, id, download } = await newExport();
    const answer = await download();
    const bytes = await bytesOf(answer);
    const { size, fileCount, sequence, tagManifestSha256 } = await readExport(owner, id);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/x-tar',
      'content-length': String(size),
      'content-disposition': `attachment; filename="${organization.id}.tar"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store, no-transform',
    });
    expect(bytes).toHaveLength(Number(size));
    const archive = join(archiveFolder(), 'downloaded.tar');
    writeFileSync(archive, bytes);
    const files = await filesIn(archive);
    expect(sha256(files.get('tagmanifest-sha256.txt') as Buffer)).toBe(tagManifestSha256);
    expect([...files.keys()].filter((path) => path.startsWith('data/files/'))).toHaveLength(fileCount);
    const report = await importFrom(await newDatabase(), archive);
    expect(report).toBe(`${organization.id} was imported: ${fileCount} files, up to event ${sequence}`);
  });

  it('continues at any byte, as it was', async () => {
    const { download } = await newExport();
    const whole = await download();
    const etag = whole.headers.get('etag') as string;
    const bytes = await bytesOf(whole);
    const cuts = [0, 1, 511, 512, 513, bytes.length - 1_024, bytes.length - 1];
    for (let count = 0; count < 20; count++) cuts.push(randomInt(bytes.length));
    for (const cut of cuts) {
      const rest = await download({ range: `bytes=${cut}-`, 'if-range': etag });
      expect(rest.status).toBe(206);
      expect(rest.headers.get('content-range')).toBe(`bytes ${cut}-${bytes.length - 1}/${bytes.length}`);
      expect((await bytesOf(rest)).equals(bytes.subarray(cut)), `from ${cut}`).toBe(true);
      const end = cut + randomInt(bytes.length - cut);
      const part = await bytesOf(await download({ range: `bytes=${cut}-${end}` }));
      expect(part.equals(bytes.subarray(cut, end + 1)), `${cut} to ${end}`).toBe(true);
    }
  });

  it('is sent as a whole where it is not the same any more, and refused beyond its end', async () => {
    const { download } = await newExport();
    const other = await download({ range: 'bytes=10-20', 'if-range': '"other"' });
    const { length } = await bytesOf(other);
    expect([other.status, length]).toEqual([200, Number(other.headers.get('content-length'))]);
    const beyond = await download({ range: `bytes=${length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${length}`]);
  });

  it('says its size to HEAD, and refuses other methods', async () => {
    const { download } = await newExport();
    const head = await download({}, 'HEAD');
    expect([head.status, (await bytesOf(head)).length]).toEqual([200, 0]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(70_000);
    const refused = await download({}, 'DELETE');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
