import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anchorLogs } from '../../../src/domain/anchors/anchor.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { FORMATS } from '../../../src/web/console/log/export.ts';
import { newApp } from '../../support/browser.ts';
import { newDatabase } from '../../support/database.ts';
import { openAuthority } from '../../support/time-stamps/authority.ts';
import { newWorld } from '../../support/world.ts';
import { HOSTILE, newScene, visitorsOf } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let log: string;

beforeAll(async () => {
  scene = await newScene();
  log = `${scene.path}/log`;
  const names = Array.from({ length: 120 }, (_, number) => ({ name: `=cmd|' /C calc'!A${number}` }));
  for (let start = 0; start < names.length; start += 60)
    await createProjects(await scene.owner.context(), {
      organizationId: scene.organization.id,
      projects: names.slice(start, start + 60),
    });
});

const today = () => new Date().toISOString().slice(0, 10);

describe('the log in the console', () => {
  it('has the events of the organization, newest first, by pages', async () => {
    const { as } = scene;
    const first = await as.owner.open(log);
    expect([first.status, first.text.match(/project\.created<\/a>/g)?.length]).toEqual([200, 50]);
    const [, next = ''] = /href="([^"]*)">Next page/.exec(first.text) ?? [];
    const second = await as.owner.open(next.replaceAll('&amp;', '&'));
    expect(second.text).toContain('First page');
    expect(second.text.match(/project\.created<\/a>/g)).toHaveLength(50);
  });

  it('is filtered by kind, by person and by day', async () => {
    const { as, owner, admin } = scene;
    await as.admin.submit(`${scene.path}/people/invite`, { email: 'log@example.test', role: 'GUEST' });
    const kinds = (await as.owner.open(`${log}?kinds=organization.*`)).text;
    expect([kinds.includes('organization.'), kinds.includes('project.created')]).toEqual([true, false]);
    const mine = (await as.owner.open(`${log}?actor=${encodeURIComponent(admin.email)}`)).text;
    expect([mine.includes('invit'), mine.includes('project.created')]).toEqual([true, false]);
    const byId = (await as.owner.open(`${log}?actor=${owner.id}&kinds=project.created`)).text;
    expect(byId).toContain('project.created');
    expect((await as.owner.open(`${log}?from=${today()}&to=${today()}`)).text).toContain('project.created');
    expect((await as.owner.open(`${log}?from=2031-01-01`)).text).toContain('There is no such event.');
    expect((await as.owner.open(`${log}?to=2001-01-01`)).text).toContain('There is no such event.');
  });

  it.each([
    ['from=yesterday', 'from'],
    ['to=2026-02-31x', 'to'],
    ['actor=nobody@example.test', 'actor'],
    ['kinds=%3Cscript%3E', 'kinds'],
  ])('says what is wrong with %s', async (query, at) => {
    const { status, text } = await scene.as.owner.open(`${log}?${query}`);
    expect([status, text.includes(`href="#${at}"`)]).toEqual([422, true]);
    expect(text).not.toContain('"<script>');
  });

  it('is exported whole, as lines of JSON and as CSV without formulas', async () => {
    const { as } = scene;
    const json = await as.owner.open(`${log}.jsonl?kinds=project.created`);
    const events = json.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(121);
    expect(new Set(events.map(({ id }) => id)).size).toBe(121);
    expect(json.headers.get('content-disposition')).toMatch(/^attachment; filename="log-org_\w+\.jsonl"$/);
    const csv = await as.owner.open(`${log}.csv?kinds=project.created`);
    const lines = csv.text.trimEnd().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([
      122,
      'sequence,time,kind,person,email,application,project,subject,text,changes,via,tool',
    ]);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    // The mark by which Excel knows UTF-8 is dropped where a response is read as text.
    expect(FORMATS.csv.header).toMatch(/^\ufeffsequence/);
  });

  it('shows and exports hostile names as text', async () => {
    const { as, db, admin } = scene;
    await db.prisma.user.update({ where: { id: admin.id }, data: { name: `=1+1${HOSTILE}` } });
    const { text } = await as.owner.open(`${log}?actor=${admin.id}`);
    expect(text).toContain('=1+1&lt;script&gt;');
    expect(text).not.toContain('<script>alert');
    const csv = await as.owner.open(`${log}.csv?actor=${admin.id}`);
    expect(csv.text).toContain(`"'=1+1<script>`);
    expect(csv.text).not.toContain('"=1+1');
  });

  it('shows a member what they see, and a stranger nothing', async () => {
    const { as } = scene;
    const { status, text } = await as.member.open(`${log}?kinds=member.*,invitation.*`);
    expect([status, text.includes('There is no such event.')]).toEqual([200, true]);
    for (const path of [log, `${log}.csv`, `${log}.jsonl`])
      expect([path, (await as.stranger.open(path)).status]).toEqual([path, 404]);
  });
});

it('the log says up to which event an authority has time-stamped it', async () => {
  const authority = await openAuthority();
  const db = await newDatabase();
  onTestFinished(async () => {
    await authority.close();
    await db.close();
  });
  const { owner, organization } = await newWorld(db);
  const visitor = await visitorsOf(db, await newApp(db))(owner);
  const read = async () => (await visitor.open(`/console/${organization.id}/log`)).text;
  expect(await read()).not.toContain('recorded before');
  await anchorLogs(db, timeStamper({ urls: [authority.url], roots: authority.roots }));
  expect(await read()).toMatch(/events up to number \d+ were recorded before <time/);
});

describe('the security events in the console', () => {
  it('are those of the viewer alone', async () => {
    const { as } = scene;
    await as.owner.submit('/console/keys', { name: 'New', scopes: 'READ', lifetime: '7' });
    expect((await as.owner.open('/console/security')).text).toContain('api_key.created');
    expect((await as.admin.open('/console/security')).text).not.toContain('api_key.created');
  });
});
