import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createApp } from '../../src/http/server.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { measureProcess, openMetrics } from '../../src/telemetry/metrics.ts';
import { testDatabase } from '../support/database.ts';
import { testStorage } from '../support/storage.ts';
import { config } from '../support/world.ts';

const RULES = fileURLToPath(new URL('../../deploy/prometheus-rules.yml', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../deploy/grafana.json', import.meta.url));

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; description: string };
}

const rules: Rule[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const panels: { id: number; type: string; targets?: { expr: string }[] }[] = JSON.parse(
  readFileSync(DASHBOARD, 'utf8'),
).panels;
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const METRIC = /\b(?:docgraph|process|nodejs)_\w+/g;
/** The names that expressions use; those of a histogram's parts stand for the histogram. */
const namesIn = (expressions: string[]) => [
  ...new Set(
    expressions
      .flatMap((text) => text.match(METRIC) ?? [])
      .map((name) => name.replace(/_(bucket|count)$/, '')),
  ),
];

/** Only PostgreSQL has a pool; the embedded database has no such metric. */
const ONLY_POSTGRES = 'docgraph_database_connections';

let served: Set<string>;
beforeAll(async () => {
  const [db, lifecycle] = [await testDatabase(), newLifecycle()];
  const metrics = openMetrics({ db, lifecycle });
  measureProcess(metrics);
  const settings = { ...config, metricsToken: 'a token for the metrics' };
  const storage = await testStorage(db);
  const app = createApp({ config: settings, db, storage, log: openLog('silent'), lifecycle, metrics });
  const headers = { authorization: 'Bearer a token for the metrics' };
  const text = await (await app.request('/metrics', { headers })).text();
  served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));
  if (!db.connections) served.add(ONLY_POSTGRES);
});

describe('the alert rules', () => {
  it('use metrics that the server has', () => {
    const names = namesIn(rules.map(({ expr }) => expr));
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !served.has(name))).toEqual([]);
  });

  it('each say what is wrong and what to do, once', () => {
    for (const { alert, annotations } of rules) {
      expect(annotations, alert).toEqual({
        summary: expect.stringMatching(/\.$/),
        description: expect.stringMatching(/\.$/),
      });
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
    'are valid for promtool (where it is installed)',
    () => {
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});

describe('the dashboard', () => {
  it('shows metrics that the server has', () => {
    expect(namesIn(queries).filter((name) => !served.has(name))).toEqual([]);
  });

  it('shows every metric of ours', () => {
    const shown = namesIn(queries);
    const ours = [...served].filter((name) => name.startsWith('docgraph_'));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('has panels with ids of their own, each with a query', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ type, targets }) => type !== 'row' && !targets?.length)).toEqual([]);
  });
});
