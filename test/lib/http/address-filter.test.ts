import { describe, expect, it } from 'vitest';
import { send } from '../../../src/jobs/send.ts';
import { isPublic, publicLookup, requirePublicHost } from '../../../src/lib/http/address-filter.ts';
import { newReceiver } from '../../support/servers/receiver.ts';

describe('the addresses of webhooks', () => {
  it.each([
    '93.184.215.14',
    '8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82b::200e',
  ])('hold %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    'not an address',
  ])('do not hold %s', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1]/',
    'http://①②⑦.0.0.1/',
  ])('do not hold %s, however it is written', (url) => {
    expect(() => requirePublicHost(new URL(url).hostname)).toThrow('is not a public address');
  });

  it('are all checked when a host name is resolved', async () => {
    const error = await new Promise((resolve) => publicLookup('localhost', { all: true }, resolve));
    expect(String(error)).toContain('localhost is not a public address');
  });

  it.each([
    'localhost',
    '127.0.0.1',
    '[::ffff:127.0.0.1]',
  ])('are not left through http://%s', async (host) => {
    const { url, received, close } = await newReceiver();
    const { port } = new URL(url);
    const outcome = await send(`http://${host}:${port}/`, { body: '{}', headers: {} }, false);
    close();
    expect(outcome.error).toContain('is not a public address');
    expect(received).toEqual([]);
  });
});

describe('sending', () => {
  it('keeps the beginning of a long response, and reads no more', async () => {
    const { url, close } = await newReceiver((response) => {
      const fill = () => {
        while (response.write('x\0'.repeat(10_000)));
        response.once('drain', fill);
      };
      fill();
    });
    const outcome = await send(url, { body: '{}', headers: {} }, true);
    close();
    expect(outcome).toMatchObject({ status: 200, response: 'x'.repeat(1_000) });
  });

  it('gives up on a receiver that does not answer', async () => {
    const { url, close } = await newReceiver(() => {});
    const outcome = await send(url, { body: '{}', headers: {} }, true);
    close();
    expect(outcome).toMatchObject({ error: 'It did not answer within 5 seconds.', response: '' });
  });

  it('reports why a connection failed', async () => {
    const { url, close } = await newReceiver();
    close();
    const { error } = await send(url, { body: '{}', headers: {} }, true);
    expect(error).toMatch(/^It cannot be reached: .*ECONNREFUSED/);
  });
});
