import { describe, expect, it } from 'vitest';
import { misspeltVariables, readConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/environment.ts';

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
      prefix: undefined,
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

describe('a key prefix of the bucket', () => {
  it.each(['docgraph', 'docgraph/', 'a/b'])('%s ends with a slash', (prefix) => {
    const { s3 } = readConfig({ S3_BUCKET: 'files', S3_PREFIX: prefix });
    expect(s3?.prefix).toBe(`${prefix.replace(/\/$/, '')}/`);
  });

  it.each(['/docgraph', 'a//b', 'a b'])('%s is refused', (prefix) => {
    expect(() => readConfig({ S3_BUCKET: 'files', S3_PREFIX: prefix })).toThrow(
      'S3_PREFIX: must be a key prefix',
    );
  });
});

/** Every text is right for these: names, files, and other programs' identifiers. */
const FREE_TEXT = new Set([
  ...['HOST', 'DATA_DIR', 'REDIS_PREFIX', 'PERSISTED_OPERATIONS', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ...['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SMTP_CA', 'OIDC_NAME'],
  ...['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_KEY', 'SEAL_CERTIFICATE', 'SEAL_KEY', 'SEAL_KEY_PASSPHRASE'],
  'TSA_TRUST',
]);

describe('a wrong value', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number from 0 to 65535, not "abc"'],
    [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535, not "70000"'],
    [{ PAGE_SIZE: '1.5' }, 'PAGE_SIZE: must be a whole number of at least 1, not "1.5"'],
    [{ STOP_DELAY_SECONDS: '61' }, 'STOP_DELAY_SECONDS: must be a number from 0 to 60, not "61"'],
    [{ EMBEDDED_SYNC: 'yes' }, 'EMBEDDED_SYNC: must be on or off, not "yes"'],
    [{ OFFICE_UNSANDBOXED: 'yes' }, 'OFFICE_UNSANDBOXED: must be 0 or 1, not "yes"'],
    [
      { OFFICE: 'soffice' },
      'OFFICE: must be auto, off, a path such as /usr/bin/soffice, or an address such as http://gotenberg:3000, not "soffice"',
    ],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: must have at least 16 characters'],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL: must be a URL such as postgres://user:pass@host:5432/database, not "mysql://x"',
    ],
    [{ SIGN_UP: 'open' }, 'SIGN_UP: must not be open without SMTP_URL, as a mail proves the address'],
    [{ SEAL_KEY: 'key.pem' }, 'SEAL_CERTIFICATE: must be set with SEAL_KEY'],
    [{ TSA_TRUST: 'roots.pem' }, 'TSA_URL: must be set with TSA_TRUST'],
  ])('of %j is described in plain words', (env, line) => {
    expect(() => readConfig(env)).toThrow(`Some environment variables are invalid:\n  ${line}`);
  });

  it.each(
    VARIABLES.filter((name) => !FREE_TEXT.has(name)),
  )('of %s is named with what is expected', (name) => {
    const value = 'no such value';
    const shown = /KEY|SECRET|TOKEN|PASS/.test(name) ? '' : `, not "${value}"`;
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^  ${name}: must (be|have) (?!.*NaN).+${shown}$`, 'm'),
    );
  });

  it('is not shown where it may hold a secret', () => {
    const secret = 'mysql://user:secret@host/x';
    expect(() => readConfig({ DATABASE_URL: secret, ENCRYPTION_KEY: 'secret' })).toThrow(/^(?!.*secret)/s);
  });
});

describe('a misspelt variable', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATBAASE_URL', 'DATABASE_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DATADIR', 'DATA_DIR'],
  ])('%s is named with the setting that it resembles', (name, meant) => {
    expect(misspeltVariables({ [name]: 'x' })).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  it('is named beside wrong values', () => {
    expect(() => readConfig({ PORT: 'x', DATABSE_URL: 'x' })).toThrow(
      /PORT[\s\S]*DATABSE_URL is not a setting/,
    );
  });

  it.each([
    'PATH',
    'PORTS',
    'HOSTNAME',
    'PGDATABASE',
    'NODE_OPTIONS',
    'DATABASE_URL',
    'npm_config_cache',
  ])('is not what %s is taken for', (name) => {
    expect(misspeltVariables({ [name]: 'x' })).toEqual([]);
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
