import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SealCertificate } from '../../../src/pdf/seal/certificate.ts';
import { signDetached } from '../../../src/pdf/seal/cms.ts';
import { pdf } from '../../files/content/pdf-source.ts';

const RESERVED = 8_000;

/** A page with a form whose fields signatures become. */
export const unsigned = (): Buffer =>
  pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    '<</Length 44>>\nstream\nBT /F 20 Tf 60 700 Td (The signed text) Tj ET\nendstream'.replace('44', '45'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]);

export interface SignatureOptions {
  reason?: string;
  certifies?: boolean;
  /** Makes the message over the covered bytes; by default a CMS signature. */
  message?: (covered: Buffer) => Promise<Uint8Array>;
  subFilter?: string;
}

/** Adds a signature as an incremental update (ISO 32000-2 §7.5.6), so that earlier ones stay as they are. */
export async function withSignature(
  before: Buffer,
  certificate: SealCertificate,
  {
    reason = 'I agree',
    certifies = false,
    message,
    subFilter = 'adbe.pkcs7.detached',
  }: SignatureOptions = {},
): Promise<Buffer> {
  const text = before.toString('latin1');
  const previous = [...text.matchAll(/startxref\n(\d+)/g)].at(-1)?.[1];
  const size = Number([...text.matchAll(/\/Size (\d+)/g)].at(-1)?.[1]);
  const fields = [...text.matchAll(/\/Fields\[([^\]]*)\]/g)].at(-1)?.[1] ?? '';
  const [signature, widget] = [size, size + 1];
  const reference = certifies
    ? '/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 2/V/1.2>>>>]'
    : '';
  const type = subFilter === 'ETSI.RFC3161' ? 'DocTimeStamp' : 'Sig';
  const range = `[0 ${'9'.repeat(10)} ${'9'.repeat(10)} ${'9'.repeat(10)}]`;
  const objects: [number, string][] = [
    [1, `<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[${fields} ${widget} 0 R]>>>>`],
    [
      signature,
      `<</Type/${type}/Filter/Adobe.PPKLite/SubFilter/${subFilter}/ByteRange${range}/Contents<${'0'.repeat(2 * RESERVED)}>/M(D:20310304091527Z)/Reason(${reason})${reference}>>`,
    ],
    [
      widget,
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature ${widget})/Rect[0 0 0 0]/F 132/P 3 0 R/V ${signature} 0 R>>`,
    ],
  ];
  let body = before.toString('latin1');
  const rows = objects.map(([number, object]) => {
    const row = `${number} 1\n${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${number} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const table = body.length;
  body += `xref\n${rows.join('')}trailer\n<</Size ${size + 2}/Root 1 0 R/Prev ${previous}>>\nstartxref\n${table}\n%%EOF\n`;
  const start = body.lastIndexOf('/Contents<') + 9;
  const end = start + 2 * RESERVED + 2;
  const filled = `[0 ${start} ${end} ${body.length - end}]`.padEnd(range.length);
  const file = Buffer.from(body.replace(range, filled), 'latin1');
  const covered = Buffer.concat([file.subarray(0, start), file.subarray(end)]);
  const cms = await (
    message ??
    (async (bytes: Buffer) =>
      (await signDetached(createHash('sha256').update(bytes).digest(), certificate)).encode())
  )(covered);
  file.write(Buffer.from(cms).toString('hex'), start + 1, 'latin1');
  return file;
}

/** A time stamp (RFC 3161) over these bytes, by an authority of its own. */
export async function timeStamp(covered: Buffer): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'tsa-'));
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    writeFileSync(join(folder, 'data'), covered);
    writeFileSync(join(folder, 'serial'), '01');
    writeFileSync(
      join(folder, 'tsa.cnf'),
      '[req]\ndistinguished_name=dn\n[dn]\n[ext]\nextendedKeyUsage=critical,timeStamping\n[tsa]\ndefault_tsa=c\n[c]\nserial=serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\ness_cert_id_alg=sha256\n',
    );
    run(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'key',
      '-out',
      'cert',
      '-subj',
      '/CN=Clock',
      '-days',
      '9',
      '-config',
      'tsa.cnf',
      '-extensions',
      'ext',
    );
    run('ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'query');
    run(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-queryfile',
      'query',
      '-signer',
      'cert',
      '-inkey',
      'key',
      '-token_out',
      '-out',
      'token',
    );
    return readFileSync(join(folder, 'token'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
