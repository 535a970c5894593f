import { crc32 } from 'node:zlib';

/**
 * A ZIP archive with these stored entries. `streamed` writes the sizes behind the content (a data descriptor), as
 * programs do that cannot seek back.
 */
export function zip(entries: Record<string, string>, { streamed = false, comment = '' } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(content.length, 4);
    sizes.writeUInt32LE(content.length, 8);
    const common = Buffer.alloc(10);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(streamed ? 8 : 0, 2);
    const names = Buffer.alloc(4);
    names.writeUInt16LE(name.length, 0);
    const locator = Buffer.alloc(14);
    locator.writeUInt32LE(offset, 10);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04'),
      common,
      streamed ? Buffer.alloc(12) : sizes,
      names,
      Buffer.from(name),
      content,
      streamed ? Buffer.concat([Buffer.from('PK\x07\x08'), sizes]) : Buffer.alloc(0),
    ]);
    locals.push(local);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, sizes, names, locator, Buffer.from(name)]),
    );
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]);
}

/** An OLE compound file: its header, filler, and a directory with these streams. */
export function compound(streams: string[], content: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  const entries = ['Root Entry', ...streams].map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    entry.writeUInt16LE(name.length * 2 + 2, 64);
    return entry;
  });
  const first = Buffer.concat([content, Buffer.alloc(512 - content.length)]);
  return Buffer.concat([header, first, ...entries]);
}
