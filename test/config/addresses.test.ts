import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25', SMTP_TLS: 'off', PUBLIC_URL: 'http://docgraph.test' };

describe('the settings of addresses', () => {
  it.each([
    ['Docs@bücher.example', { name: 'Docgraph', address: 'Docs@xn--bcher-kva.example' }],
    ['R&D <r&d@example.org>', { name: 'R&D', address: 'r&d@example.org' }],
  ])('MAIL_FROM may be %s', (text, sender) => {
    expect(readConfig({ ...SMTP, MAIL_FROM: text }).mail.sender).toMatchObject(sender);
  });

  it.each(['docs', 'docs@[192.0.2.1]', '"a b"@example.org'])('MAIL_FROM may not be %s', (text) => {
    expect(() => readConfig({ ...SMTP, MAIL_FROM: text })).toThrow('MAIL_FROM');
  });

  it('OIDC_DOMAINS are compared in ASCII, as addresses are stored', () => {
    const oidc = {
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'docgraph',
      PUBLIC_URL: 'http://docgraph.test',
    };
    const read = (domains: string) => JSON.stringify(readConfig({ ...oidc, OIDC_DOMAINS: domains }));
    expect(read('Bücher.example, example.org')).toContain('["xn--bcher-kva.example","example.org"]');
    expect(() => read('example.org/x')).toThrow('OIDC_DOMAINS');
  });
});
