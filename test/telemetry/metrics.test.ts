import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/server.ts';
import { doNext } from '../../src/jobs/work.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { openMetrics } from '../../src/telemetry/metrics.ts';
import { testDatabase } from '../support/database.ts';
import { jobContext } from '../support/jobs.ts';
import { newDocuments, testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

const METRICS_TOKEN = 'a token for the metrics';

async function application(metricsToken?: string) {
  const db = await testDatabase();
  const settings = { ...config, metricsToken };
  return {
    app: createApp({ config: settings, db, storage: await testStorage(db), log: openLog('silent') }),
    db,
  };
}

let world: Awaited<ReturnType<typeof newWorld>>;
beforeAll(async () => {
  world = await newWorld();
});

const bearer = () => ({ Authorization: `Bearer ${world.owner.key}` });

describe('the metrics', () => {
  it('count requests by route and operations by outcome', async () => {
    const { app } = await application(METRICS_TOKEN);
    const ask = (query: string) =>
      app.request('/graphql', {
        method: 'POST',
        headers: { ...bearer(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    await ask('{ viewer { name } }');
    await ask(`{ organization(id: "${world.organization.id}x") { name } }`);
    const answer = await app.request('/metrics', { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    const text = await answer.text();
    expect(text).toContain(
      'docgraph_http_request_duration_seconds_count{method="POST",route="/graphql",status="200"} 2',
    );
    expect(text).toContain('docgraph_graphql_operation_duration_seconds_count{kind="query",outcome="ok"} 1');
    expect(text).toContain(
      'docgraph_graphql_operation_duration_seconds_count{kind="query",outcome="NOT_FOUND"} 1',
    );
    expect(text).toContain('docgraph_http_requests_under_way 1');
  });

  it('count work by kind and state', async () => {
    const { app, db } = await application(METRICS_TOKEN);
    const { owner, project } = await newWorld();
    await newDocuments(await owner.context(), project.id, [{ name: 'due.txt' }]);
    await db.prisma.blob.updateMany({ data: { textStatus: 'PENDING', textNextAt: new Date(0) } });
    const answer = await app.request('/metrics', { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    const text = await answer.text();
    expect(text).toMatch(/docgraph_jobs\{queue="text",state="created"\} [1-9]/);
    expect(text).toMatch(/docgraph_job_age_seconds\{queue="text"\} \d{9}/);
    expect(text).toContain('docgraph_job_age_seconds{queue="seal"} ');
    expect(text).toContain('docgraph_jobs{queue="stamp",state="retry"} ');
    expect(text).toContain('docgraph_database_up 1');
  });

  it('are served without the database, and say that it is away', async () => {
    const db = await testDatabase();
    const query = () => Promise.reject(new Error('gone'));
    const metrics = openMetrics({ db: { ...db, query }, lifecycle: newLifecycle() });
    const text = await metrics.registry.metrics();
    expect(text).toContain('docgraph_database_up 0');
    expect(text).not.toContain('docgraph_jobs{');
    expect(await metrics.registry.metrics()).toContain('docgraph_metrics_failures_total 1');
  });

  it('count mails by outcome', async () => {
    const metrics = openMetrics({ db: await testDatabase(), lifecycle: newLifecycle() });
    const { owner, organization } = await newWorld();
    const ctx = { ...(await jobContext()), countMail: metrics.mail };
    const invite = {
      organizationId: organization.id,
      members: [{ email: `a${Date.now()}@example.test`, role: 'MEMBER' }],
    };
    const { errors } = await owner.graph(
      'mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { id } } }',
      { input: invite },
    );
    expect(errors).toBeUndefined();
    while (await doNext(ctx, 'mail'));
    expect(await metrics.registry.metrics()).toMatch(/docgraph_mails_total\{outcome="stored"\} [1-9]/);
  });

  it('require the metrics token, and are absent if none is configured', async () => {
    const { app } = await application(METRICS_TOKEN);
    expect((await app.request('/metrics')).status).toBe(401);
    expect((await app.request('/metrics', { headers: bearer() })).status).toBe(401);
    const { app: without } = await application();
    expect((await without.request('/metrics')).status).toBe(404);
  });
});
