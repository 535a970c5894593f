import { Writable } from 'node:stream';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createApp } from '../../src/http/server.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { dump } from '../support/dump.ts';
import { newForm } from '../support/forms.ts';
import { dropJobs, jobContext, runJobs } from '../support/jobs.ts';
import { isGenuine, newReceiver } from '../support/servers/receiver.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { testStorage } from '../support/storage.ts';
import { config, type Person } from '../support/world.ts';

const METRICS = 'a-token-for-the-metrics';
const ACCESS_CODE = 'ferry-at-dawn';
const CONTENT = 'what the file says and nobody is told';

/** All that is done, and whatever in it nobody else may read. */
class Run {
  readonly secrets = new Set([METRICS, ACCESS_CODE, `${ACCESS_CODE}!`]);
  /** What the database has to hold, as whoever sees the file is shown it; no log does. */
  readonly untold = new Set([CONTENT]);
  readonly app: Hono;
  readonly db: Database;
  readonly owner: Person;

  constructor(app: Hono, db: Database, owner: Person) {
    this.app = app;
    this.db = db;
    this.owner = owner;
    this.secrets.add(owner.key);
  }

  keep(secret: string | undefined): string {
    expect(secret).toMatch(/^.{12,}$/);
    this.secrets.add(secret as string);
    return secret as string;
  }

  open = async (path: string, init: RequestInit = {}): Promise<Response> => this.app.request(path, init);

  post = (path: string, fields: Record<string, string>) =>
    this.open(path, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', origin: config.publicUrl },
      body: new URLSearchParams(fields),
    });

  async graph(query: string, variables: object, headers: Record<string, string> = {}) {
    const answer = await this.open('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${this.owner.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
    return (await answer.json()) as any;
  }

  /** A failure of ours in the midst of it: what is logged of it holds no secret either. */
  async failing<Result>(table: string, act: () => Promise<Result>): Promise<Result> {
    const rename = (from: string, to: string) =>
      this.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename(table, `${table}_away`);
    return act().finally(() => rename(`${table}_away`, table));
  }
}

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;

async function newRun() {
  const desk = await newSigningWorld();
  const { db, owner } = desk;
  const lines: string[] = [];
  const write = (line: string, _: unknown, done: () => void) => {
    lines.push(String(line));
    done();
  };
  const log = openLog('trace', new Writable({ write }) as never);
  const storage = await testStorage(db);
  const app = createApp({ config: { ...config, metricsToken: METRICS }, db, storage, log });
  return { desk, log, lines, run: new Run(app, db, owner) };
}

async function useWebhook(run: Run, { organization, project }: Desk, log: Logger) {
  const receiver = await newReceiver();
  onTestFinished(receiver.close);
  const make = `mutation ($id: ID!, $url: String!) { createWebhooks(input: { organizationId: $id, webhooks: [{ url: $url, kinds: ["project.*"] }] }) {
    created { secret webhook { id } } } }`;
  const input = { id: organization.id, url: receiver.url };
  expect((await run.failing('webhooks', () => run.graph(make, input))).errors).toHaveLength(1);
  const [{ secret, webhook }] = (await run.graph(make, input)).data.createWebhooks.created;
  const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(input: { webhookId: $id }) { secret } }';
  const rotated = await run.graph(rotate, webhook);
  const secrets = [secret, rotated.data.rotateWebhookSecret.secret].map((each) => run.keep(each));
  const rename =
    'mutation ($id: ID!) { updateProject(input: { projectId: $id, name: "Told" }) { project { id } } }';
  await run.graph(rename, { id: project.id });
  const job = { ...(await jobContext()), log };
  await run.failing('webhook_attempts', () => sendDue(job, [organization.id]));
  await run.db.prisma.webhookDelivery.updateMany({ data: { nextTryAt: new Date(0) } });
  await run.db.prisma.webhook.updateMany({ data: { busyUntil: null } });
  await sendDue(job, [organization.id]);
  expect(receiver.received.length).toBeGreaterThan(1);
  for (const received of receiver.received)
    expect(secrets.map((each) => isGenuine(received, each))).toEqual([true, true]);
}

async function sign(run: Run, desk: Desk) {
  const { sessionId } = await desk.active([{ name: 'Anna' }], {
    useAccessCode: true,
    accessCode: ACCESS_CODE,
  });
  const [anna] = await desk.signersOf(sessionId);
  const recipient = anna as NonNullable<typeof anna>;
  const link = `/sign/${recipient.id}/${run.keep(desk.secretOf(recipient))}`;
  expect((await run.failing('signature_recipients', () => run.open(link))).status).toBe(500);
  expect((await run.post(`${link}/code`, { code: `${ACCESS_CODE}!` })).status).toBe(422);
  const passed = await run.post(`${link}/code`, { code: ACCESS_CODE });
  expect(passed.status).toBe(303);
  const base = `/api/v1/documentSignatureSessions/${sessionId}/signingRecipients/${recipient.id}/fields`;
  const uniqueId = link.split('/').at(-1);
  const fields = `${base}?uniqueId=${uniqueId}&accessCode=${ACCESS_CODE}`;
  expect((await run.open(fields)).status).toBe(200);
  const values = JSON.stringify([{ DocumentSignatureFormFieldID: recipient.fields[0]?.id, Value: 'Anna' }]);
  const put = () =>
    run.open(fields, { method: 'PUT', body: values, headers: { 'content-type': 'application/json' } });
  expect((await run.failing('signature_fields', put)).status).toBe(500);
  expect((await put()).status).toBe(200);
}

async function fillIn(run: Run, { ctx, project }: Desk) {
  const { id, ids } = await newForm(ctx, project.id, [{ name: 'Guest', type: 'TEXT' }]);
  const share = `mutation ($id: ID!) { shareFormTemplates(input: { formTemplateIds: [$id], isPublic: true }) { formTemplates { linkId } } }`;
  const [{ linkId }] = (await run.graph(share, { id })).data.shareFormTemplates.formTemplates;
  const path = `/forms/${run.keep(linkId)}`;
  expect((await run.failing('form_fields', () => run.open(path))).status).toBe(500);
  expect((await run.open(path)).status).toBe(200);
  const send = () => run.post(path, { [`field.${ids.Guest}`]: 'Ada' });
  expect((await run.failing('form_submissions', send)).status).toBe(500);
  expect((await send()).status).toBe(303);
  expect((await run.open(`/api/v1/formTemplatesPublic/${id}?uniqueId=${linkId}`)).status).toBe(200);
}

async function moveFiles(run: Run, { project }: Desk) {
  const reserve = 'mutation ($id: ID!) { reserveUploads(input: { projectId: $id }) { uploads { id url } } }';
  const [{ id, url }] = (await run.graph(reserve, { id: project.id })).data.reserveUploads.uploads;
  run.keep(url.split('/').at(-1));
  const put = () => run.open(new URL(url).pathname, { method: 'PUT', body: CONTENT });
  expect((await run.failing('uploads', put)).status).toBe(503);
  expect((await put()).status).toBe(200);
  const confirm = `mutation ($projectId: ID!, $id: ID!) { confirmUploads(input: { projectId: $projectId, files: [{ uploadId: $id, name: "a.bin" }] }) {
    documents { id downloadUrl } } }`;
  const [document] = (await run.graph(confirm, { projectId: project.id, id })).data.confirmUploads.documents;
  run.keep(document.downloadUrl.split('/').at(-1));
  expect(await (await run.open(new URL(document.downloadUrl).pathname)).text()).toBe(CONTENT);
}

async function repeat(run: Run) {
  const make = 'mutation { createApiKeys(input: { keys: [{ name: "new" }] }) { created { secret } } }';
  const named = { 'idempotency-key': run.keep('a-key-of-the-senders-own') };
  await run.failing('api_keys', () => run.graph(make, {}, named));
  const [first, again] = [await run.graph(make, {}, named), await run.graph(make, {}, named)];
  expect(again).toEqual(first);
  run.keep(first.data.createApiKeys.created[0].secret);
}

it('a run of webhooks, signing, forms, files and repeated requests leaves no secret in the log, the metrics or the database', async () => {
  await dropJobs();
  const { desk, log, lines, run } = await newRun();
  await useWebhook(run, desk, log);
  await sign(run, desk);
  await fillIn(run, desk);
  await moveFiles(run, desk);
  await repeat(run);
  await runJobs();
  const metrics = await run.open('/metrics', { headers: { authorization: `Bearer ${METRICS}` } });
  const published = [lines.join(''), await metrics.text()].join('\n');
  const stored = await dump(run.db);
  expect(lines.filter((line) => line.includes('unexpected failure')).length).toBeGreaterThanOrEqual(7);
  expect(published).toContain('docgraph_');
  expect([...run.secrets, ...run.untold].filter((secret) => published.includes(secret))).toEqual([]);
  expect([...run.secrets].filter((secret) => stored.includes(secret))).toEqual([]);
  for (const secret of run.untold) expect(stored).toContain(secret);
}, 120_000);
