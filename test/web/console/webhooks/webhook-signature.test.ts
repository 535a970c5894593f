import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/lib/id.ts';
import { hidden, type Page, SAME } from '../../../support/browser.ts';
import { HOSTILE, newScene, type Visitor } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let hooks: string;

beforeAll(async () => {
  scene = await newScene();
  hooks = `${scene.path}/webhooks`;
});

/** A new webhook: its page, its id and its secret. */
async function created() {
  const { text } = await scene.as.owner.submit(hooks, {
    url: 'https://receiver.example/',
    query: '{ kind }',
  });
  const [id = ''] = /whk_\w{26}/.exec(text) ?? [];
  return { id, page: `${hooks}/${id}`, secret: /dgw_[\w-]{43}/.exec(text)?.[0] ?? 'none' };
}

const sign = (secret: string, body: string, t: number): string =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;

/** Its form is sent in parts, as for a file. */
async function check({ browser }: Visitor, page: string, headers: string, body: string): Promise<Page> {
  const form = new FormData();
  const token = hidden(await browser.open('/account'), 'form_token') ?? '';
  for (const [name, value] of Object.entries({ form_token: token, headers, body })) form.set(name, value);
  return browser.send(`${page}/signature`, { method: 'POST', headers: SAME, body: form });
}

const BODY = '{"kind":"task.completed"}';

describe('the page that checks a signature', () => {
  it('finds the header among others, and says that it is valid, without the secret', async () => {
    const { page, secret } = await created();
    const now = Math.floor(Date.now() / 1_000);
    const headers = `Content-Type: application/json\r\nDocgraph-Signature: ${sign(secret, BODY, now)}\r\nX-Other: 1`;
    const { status, text } = await check(scene.as.admin, page, headers, `${BODY}\r\n`);
    expect(status).toBe(200);
    for (const each of ['The signature is valid', 'within the 5 minutes', 'task.completed'])
      expect(text).toContain(each);
    expect(text).not.toContain(secret);
  });

  it('says why one is not valid, and what is old', async () => {
    const { page, secret } = await created();
    const cases: [headers: string, body: string, reason: string][] = [
      [sign(secret, BODY, 1_700_000_000), BODY, 'more than 5 minutes'],
      [sign(secret, BODY, 1), '{ "kind": "task.completed" }', 'not its bytes'],
      [sign('dgw_other', BODY, 1), BODY, 'Another secret signed it'],
      [sign(secret, BODY, 1), `{"webhookId":"whk_other"}`, 'of another webhook'],
      [HOSTILE, BODY, 'does not have the form'],
    ];
    for (const [headers, body, reason] of cases) {
      const { text } = await check(scene.as.owner, page, headers, body);
      expect(text).toContain(reason);
      expect(text).not.toContain('<script>alert');
    }
  });

  it('takes a body of 100 KB, and asks for what is missing', async () => {
    const { page, secret } = await created();
    const body = JSON.stringify({ name: 'x'.repeat(100_000) });
    expect((await check(scene.as.owner, page, sign(secret, body, 1), body)).text).toContain('is valid');
    for (const [headers, missing] of [
      ['', 'headers'],
      ['t=1', 'body'],
    ] as const) {
      const { status, text } = await check(scene.as.owner, page, headers, '');
      expect([status, text.includes(`id="${missing}-error"`)]).toEqual([422, true]);
    }
  });

  it('is for owners and admins alone, below their organization', async () => {
    const { id, page, secret } = await created();
    for (const who of ['member', 'stranger'] as const) {
      expect((await scene.as[who].open(`${page}/signature`)).status).toBe(404);
      const answer = await check(scene.as[who], page, sign(secret, BODY, 1), BODY);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('is valid');
    }
    const own = (await scene.stranger.graph('{ viewer { organizations(first: 1) { nodes { id } } } }')).data
      .viewer.organizations.nodes[0].id;
    expect((await scene.as.stranger.open(`/console/${own}/webhooks/${id}/signature`)).status).toBe(404);
  });
});

describe('the command on the page of a delivery', () => {
  it.runIf(existsSync('/usr/bin/openssl'))('computes the signature that is shown', async () => {
    const { db, organization, as } = scene;
    const { id, page, secret } = await created();
    const { sequence } = await db.prisma.event.findFirstOrThrow({
      where: { organizationId: organization.id, kind: 'project.created' },
    });
    const delivery = { id: newId('WebhookDelivery'), organizationId: organization.id, webhookId: id };
    await db.prisma.webhookDelivery.create({ data: { ...delivery, sequence, state: 'FAILED' } });
    const { text } = await as.owner.open(`${page}/deliveries/${delivery.id}`);
    const plain = text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const command = /<code id="command">([^<]+)</.exec(plain)?.[1] ?? 'false';
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-'));
    writeFileSync(join(folder, 'body.json'), `${/^{"id":.*}(?=<)/m.exec(plain)?.[0]}\n`);
    const options = { cwd: folder, env: { ...process.env, SECRET: secret }, encoding: 'utf8' } as const;
    const output = execFileSync('/bin/sh', ['-c', command], options);
    rmSync(folder, { recursive: true });
    expect(output.trim().split(' ').at(-1)).toBe(/v1=([0-9a-f]{64})/.exec(plain)?.[1]);
  });
});
