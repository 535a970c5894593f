import { describe, expect, it } from 'vitest';
import { inspectBytes } from '../../../src/files/content/sniff/inspect.ts';
import { readText } from '../../../src/files/content/text/text.ts';
import { runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';
import { compound } from './archive-source.ts';
import { sourceOf } from './bytes.ts';

/** The text of bytes of the type that they are taken for. */
async function read(content: Buffer) {
  const source = sourceOf(content);
  const { contentType } = await inspectBytes({ ...source, filename: 'upload' });
  return readText(source, contentType);
}

/** [MS-DOC] §2.5.2, FibBase. */
const fib = (flags: number): Buffer => {
  const base = Buffer.alloc(32);
  base.writeUInt16LE(0xa5ec, 0);
  base.writeUInt16LE(flags, 10);
  return base;
};

/** [MS-XLS] §2.1.4: records of a type and a length. */
const records = (...types: number[]): Buffer =>
  Buffer.concat(
    types.map((type) => {
      const record = Buffer.alloc(4 + 16);
      record.writeUInt16LE(type, 0);
      record.writeUInt16LE(16, 2);
      return record;
    }),
  );

const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat\xff\xfe\xfd\xfc', 'latin1');

const JPEG_2000 = Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220000000006a703220', 'hex');
const TIFF = Buffer.from('49492a0008000000000000000000', 'hex');

describe('a file whose text is not read', () => {
  it.each([
    ['Office Open XML', compound(['EncryptedPackage', 'EncryptionInfo'])],
    ['Word 97', compound(['1Table', 'WordDocument'], fib(0x0100))],
    ['Excel 97', compound(['Workbook'], records(0x0809, 0x2f))],
    ['Excel 97 with a password to write', compound(['Workbook'], records(0x0809, 0x86, 0x2f))],
    ['PowerPoint 97', compound(['Current User', 'PowerPoint Document', 'EncryptedSummary'])],
  ])('is said to be locked with a password: %s', async (_, content) => {
    expect(await read(content)).toEqual({ failed: 'It is locked with a password.', retries: 0 });
  });

  it.each([
    ['Word 97', compound(['1Table', 'WordDocument'], fib(0)), /97–2003 are not read: save it as \.docx/],
    ['Excel 97', compound(['Workbook'], records(0x0809, 0x0042, 0x2f)), /97–2003 are not read/],
    ['PowerPoint 97', compound(['PowerPoint Document']), /97–2003 are not read/],
    ['a truncated directory', compound(['WordDocument']).subarray(0, 900), /of this format are not read/],
    ['HEIC', HEIC, /pictures of this format is not recognized: convert it to JPEG or PNG/],
    [
      'BMP',
      Buffer.from('424d460000000000000036000000280000000100000001', 'hex'),
      /convert it to JPEG or PNG/,
    ],
    ['JPEG 2000', JPEG_2000, /convert it to JPEG or PNG/],
    ['TIFF, where nothing is recognized', TIFF, /not recognized on this server/],
    ['unknown bytes', Buffer.from([0, 1, 2, 3, 250, 251]), /of this format are not read/],
  ])('has the reason: %s', async (_, content, reason) => {
    expect(await read(content)).toEqual({ none: true, reason: expect.stringMatching(reason) });
  });

  it('has its state and the reason in the graph, for those who see the document only', async () => {
    const { owner, stranger, project } = await newWorld();
    const documents = await newDocuments(await owner.context(), project.id, [
      { name: 'plan.heic', content: HEIC },
      { name: 'pay.xlsx', content: compound(['EncryptedPackage', 'EncryptionInfo']) },
      { name: 'blank.txt', content: ' ' },
    ]);
    await runJobs();
    const query = 'query ($id: ID!) { document(id: $id) { textStatus textError } }';
    const states = [];
    for (const { id } of documents) states.push((await owner.graph(query, { id })).data.document);
    expect(states).toEqual([
      { textStatus: 'NONE', textError: expect.stringContaining('not recognized') },
      { textStatus: 'FAILED', textError: 'It is locked with a password.' },
      { textStatus: 'NONE', textError: null },
    ]);
    const hidden = await stranger.graph(query, { id: documents[0]?.id });
    expect(hidden.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
