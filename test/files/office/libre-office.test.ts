import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { inspectBytes, OFFICE_EXTENSIONS } from '../../../src/files/content/sniff/inspect.ts';
import { findOffice } from '../../../src/files/office/find.ts';
import { libreOffice } from '../../../src/files/office/libre-office.ts';
import { missingParts, partOf } from '../../../src/files/office/parts.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { sandboxes } from '../../support/office/fake-soffice.ts';
import {
  docx,
  docxBomb,
  linkedPicture,
  odp,
  ods,
  odt,
  pictureAt,
  pptx,
  xlsx,
} from '../../support/office/office-files.ts';

const found = await findOffice({ office: 'auto', unsandboxed: true });
const converter = 'converter' in found ? found.converter : undefined;
if (!converter) console.log('LibreOffice is not installed: nothing is converted by it.');

const PROGRAM = '/usr/bin/soffice';
const missing = await missingParts(await realpath(PROGRAM).catch(() => ''));
for (const part of missing)
  console.log(`${part} of LibreOffice is not installed: its files are not converted.`);

const textOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  (await readPdfText(bytesSource(bytes))).pages.join('\n');

describe.skipIf(!converter)('LibreOffice (needs it)', () => {
  it.for([
    ['docx', docx],
    ['xlsx', xlsx],
    ['pptx', pptx],
    ['odt', odt],
    ['ods', ods],
    ['odp', odp],
  ] as const)('makes a PDF of a file of type %s', async ([kind, write], { skip }) => {
    skip(missing.includes(partOf(kind) ?? ''));
    const source = bytesSource(write(`Heron and ${kind}`));
    const { contentType } = await inspectBytes({ ...source, filename: 'a' });
    expect(OFFICE_EXTENSIONS[contentType]).toBe(kind);
    const pdf = await converter?.convert(source, kind);
    expect(await textOf(pdf as Uint8Array<ArrayBuffer>)).toContain(`Heron and ${kind}`);
  });

  it('refuses a file that it cannot open', async () => {
    const broken = bytesSource(docx('whole').subarray(0, 300));
    await expect(converter?.convert(broken, 'docx')).rejects.toThrow('It cannot be opened');
  });

  it('ends a file that unfolds to gigabytes within its limits', async () => {
    const bomb = libreOffice(PROGRAM, 'none', { memory: 2 ** 31, processor: 5, time: 30_000 });
    await expect(bomb.convert(bytesSource(docxBomb(2 ** 28)), 'docx')).rejects.toThrow(
      /takes too|cannot be opened/,
    );
  });
});

describe.skipIf(!converter).each(await sandboxes())('LibreOffice in the sandbox %s', (sandbox) => {
  it('asks no server for pictures to which a file links', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/x.png`;
    const file = docx('linked', linkedPicture('r9'), { r9: pictureAt(url) });
    const frame = `<text:p><draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${url}" xlink:type="simple"/></draw:frame></text:p>`;
    for (const [bytes, kind] of [
      [file, 'docx'],
      [odt('linked', frame), 'odt'],
    ] as const)
      expect(await textOf(await libreOffice(PROGRAM, sandbox).convert(bytesSource(bytes), kind))).toContain(
        'linked',
      );
    expect(asked).toEqual([]);
  });

  it('reads no file of this machine to which a file links', async () => {
    const secret = join(tmpdir(), `docgraph-secret-${process.pid}.txt`);
    writeFileSync(secret, 'the secret heron');
    const section = `<text:section text:name="s"><text:section-source xlink:href="file://${secret}" text:filter-name="Text"/><text:p>outside</text:p></text:section>`;
    const pdf = await libreOffice(PROGRAM, sandbox).convert(bytesSource(odt('linked', section)), 'odt');
    const text = await textOf(pdf);
    expect(text).toContain('linked');
    expect(text).not.toContain('secret heron');
  });
});
