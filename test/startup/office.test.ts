import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { healthRouter } from '../../src/http/health.ts';
import { logOffice, officeState, openOffice } from '../../src/startup/office.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { fakeSoffice } from '../support/office/fake-soffice.ts';
import { newGotenberg } from '../support/office/gotenberg-server.ts';

/** What a server with this setting logs at its start, and what `/readyz?details` answers. */
async function startWith(office: string, unsandboxed = false) {
  const services = await openOffice({ office: { office, unsandboxed } });
  const lines: string[] = [];
  await logOffice(pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) }), services);
  const router = healthRouter({
    lifecycle: newLifecycle(),
    dependencies: {},
    parts: { 'office files to PDF': () => officeState(services) },
  });
  const details = async () => {
    const response = await router.request('/readyz?details');
    return [response.status, await response.text()];
  };
  return { log: lines.map((line) => JSON.parse(line)), details };
}

const INFO = 30;
const WARN = 40;
const OFF = 'office files are not converted to PDF';

describe('a server says what converts office files', () => {
  it('where they are switched off', async () => {
    const { log, details } = await startWith('off');
    expect(log).toEqual([{ level: INFO, reason: 'OFFICE is off', msg: OFF }]);
    expect(await details()).toEqual([200, 'ok\noffice files to PDF: off (OFFICE is off)']);
  });

  it.each([
    ['leads to nothing', '/does/not/exist'],
    ['is that of a folder', '/'],
    ['is that of a file that cannot be run', fileURLToPath(import.meta.url)],
  ])('where the path in OFFICE %s', async (_, path) => {
    const { log, details } = await startWith(path);
    const reason = 'the path in OFFICE is not that of a program';
    expect(log).toEqual([{ level: WARN, reason, msg: OFF }]);
    expect(await details()).toEqual([200, `ok\noffice files to PDF: off (${reason})`]);
  });

  it('where it is the LibreOffice of a path', async () => {
    const { log, details } = await startWith(fakeSoffice(), true);
    expect(log).toMatchObject([{ level: INFO, by: expect.stringMatching(/^LibreOffice /) }]);
    expect(await details()).toEqual([200, `ok\noffice files to PDF: ${log[0].by}`]);
  });

  it('where it is Gotenberg', async () => {
    const server = await newGotenberg((response) => response.end('{"status":"up"}'));
    const { log, details } = await startWith(`${server.url}/`);
    expect(log).toMatchObject([{ level: INFO, by: 'Gotenberg' }]);
    expect(await details()).toEqual([200, 'ok\noffice files to PDF: Gotenberg']);
    expect(server.paths).toEqual(['/health', '/health']);
  });

  it('where Gotenberg is at another address, or goes away', async () => {
    const other = await newGotenberg((response) => response.writeHead(404).end());
    const { log, details } = await startWith(other.url);
    const reason = 'it answers with status 404';
    expect(log).toMatchObject([{ level: WARN, by: 'Gotenberg', reason }]);
    expect(await details()).toEqual([200, `ok\noffice files to PDF: Gotenberg, but ${reason}`]);
    other.close();
    expect(await details()).toEqual([200, 'ok\noffice files to PDF: Gotenberg, but it cannot be reached']);
  });

  it('asks Gotenberg once for those who look at the same time', async () => {
    const server = await newGotenberg((response) => response.end());
    const { details } = await startWith(server.url);
    await Promise.all([details(), details(), details()]);
    expect(server.paths).toHaveLength(2);
  });
});

it('details are shown to those who ask for them', async () => {
  const router = healthRouter({ lifecycle: newLifecycle(), dependencies: {}, parts: { x: async () => 'y' } });
  expect(await (await router.request('/readyz')).text()).toBe('ok');
});
