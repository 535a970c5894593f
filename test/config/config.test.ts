import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const MIB = 2 ** 20;

describe('the bucket', () => {
  it('is not used unless it is configured: files are on disk', () => {
    expect(readConfig({}).s3).toBeUndefined();
  });

  it('is the first part of the path on a server with a custom endpoint', () => {
    const set = { S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example.test' };
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(readConfig({ ...set, ...keys }).s3).toEqual({
      bucket: 'files',
      endpoint: 'https://s3.example.test',
      region: 'us-east-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      forcePathStyle: true,
      partBytes: 8 * MIB,
    });
    expect(readConfig({ ...set, S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle).toBe(false);
  });

  it('uses the defaults of the SDK without endpoint and keys', () => {
    expect(readConfig({ S3_BUCKET: 'files', S3_REGION: 'eu-central-1' }).s3).toMatchObject({
      region: 'eu-central-1',
      endpoint: undefined,
      credentials: undefined,
      forcePathStyle: false,
    });
  });

  it('has parts so large that the largest upload has at most 10,000', () => {
    const partBytes = readConfig({ S3_BUCKET: 'files', UPLOAD_BYTES: String(2 ** 40) }).s3?.partBytes ?? 0;
    expect(partBytes % MIB).toBe(0);
    expect(partBytes * 10_000).toBeGreaterThanOrEqual(2 ** 40);
  });

  it('that is configured incompletely is refused, with all errors together', () => {
    const set = { S3_ENDPOINT: 'nowhere', S3_SECRET_ACCESS_KEY: 'x', S3_FORCE_PATH_STYLE: 'yes' };
    expect(() => readConfig(set)).toThrow(/S3_ENDPOINT: must be[\s\S]*S3_FORCE_PATH_STYLE/);
    expect(() => readConfig({ S3_SECRET_ACCESS_KEY: 'x' })).toThrow(/S3_BUCKET: [\s\S]*S3_ACCESS_KEY_ID: /);
  });
});

describe('the languages of text in pictures', () => {
  it.each([
    [undefined, ['eng']],
    ['off', []],
    ['eng, chi_sim', ['eng', 'chi_sim']],
  ])('are, for %s, %j', (set, expected) => {
    expect(readConfig({ OCR_LANGUAGES: set }).ocrLanguages).toEqual(expected);
  });

  it.each(['../eng', 'English', 'eng,', 'eng,deu,fra,ita,spa'])('are not %s', (set) => {
    expect(() => readConfig({ OCR_LANGUAGES: set })).toThrow('OCR_LANGUAGES: must be off');
  });
});

describe('the key of the operator', () => {
  it('is one, or several with the one to seal with first, and none at first', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(44)];
    expect(readConfig({}).encryptionKeys).toBeUndefined();
    expect(readConfig({ ENCRYPTION_KEY: `${a}, ${b}` }).encryptionKeys).toEqual([a, b]);
  });

  it.each(['short', `${'a'.repeat(32)},`, ','])('is refused when one of them is too short: %s', (text) => {
    expect(() => readConfig({ ENCRYPTION_KEY: text })).toThrow(
      /ENCRYPTION_KEY: must be a key of at least 32/,
    );
  });
});
