import { beforeAll, describe, expect, it } from 'vitest';
import { formLink } from '../../src/domain/forms/form.ts';
import { shareFormTemplates, unshareFormTemplates } from '../../src/domain/forms/form-share.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { deleteProjects } from '../../src/domain/projects/project-delete.ts';
import { Browser, hidden, newApp, ORIGIN, SAME } from '../support/browser.ts';
import { newForm, newFormWorld } from '../support/forms.ts';

type Asked = Parameters<typeof newForm>[2];

let world: Awaited<ReturnType<typeof newFormWorld>>;
let app: Awaited<ReturnType<typeof newApp>>;
let count = 0;

beforeAll(async () => {
  world = await newFormWorld();
  app = await newApp(world.db);
});

/** A public form in a new project. */
async function publicForm(fields: Asked) {
  count += 1;
  const [project] = await createProjects(world.ctx, {
    organizationId: world.organization.id,
    projects: [{ name: `Forms ${count}` }],
  });
  const projectId = project?.id as string;
  const { id, ids } = await newForm(world.ctx, projectId, fields);
  const [form] = await shareFormTemplates(world.ctx, { formTemplateIds: [id], isPublic: true });
  const stored = () =>
    world.db.prisma.formSubmission.findMany({
      where: { formTemplateId: id },
      include: { values: { orderBy: [{ formFieldId: 'asc' }, { position: 'asc' }] } },
    });
  const nameOf = (name: string) => `field.${ids[name]}`;
  const link = `/forms/${form && formLink(world.ctx, form)}`;
  return { id, ids, projectId, link, stored, nameOf };
}

const VISIT: Asked = [
  { name: 'Guest', type: 'TEXT', rules: { required: true } },
  { name: 'People', type: 'NUMBER', rules: { minimum: '1', maximum: '500' } },
  { name: 'Fee', type: 'CURRENCY' },
  { name: 'Day', type: 'DATE' },
  { name: 'Indoors', type: 'BOOL' },
  {
    name: 'Weather',
    type: 'TEXT',
    choices: true,
    offered: { '': ['dry', 'rain', 'frost'] },
  },
  { name: 'Tools', type: 'TEXT', choices: true, multipleValues: true, offered: { '': ['axe', 'saw'] } },
  { name: 'Notes', type: 'TEXT', multipleLines: true, rows: 4 },
];

describe('the page of a public form', () => {
  it('puts each question with a control of its type', async () => {
    const { link, ids } = await publicForm(VISIT);
    const { status, text, headers } = await new Browser(app).open(link);
    expect(status).toBe(200);
    const controls = (name: string) =>
      [
        ...text.matchAll(new RegExp(`<(?:input|textarea|select)[^>]*name="field.${ids[name]}"[^>]*>`, 'g')),
      ].map(([tag]) => /type="(\w+)"/.exec(tag)?.[1] ?? /<(\w+)/.exec(tag)?.[1]);
    expect(Object.fromEntries(VISIT.map(({ name }) => [name, controls(name)]))).toEqual({
      Guest: ['text'],
      People: ['text'],
      Fee: ['text'],
      Day: ['date'],
      Indoors: ['radio', 'radio', 'radio'],
      Weather: ['radio', 'radio', 'radio'],
      Tools: ['checkbox', 'checkbox'],
      Notes: ['textarea'],
    });
    expect(text).toContain('From 1 to 500.');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('is at the URL that GraphQL and REST v1 return', async () => {
    const { id, link } = await publicForm([]);
    const query = 'query ($id: ID!) { formTemplate(id: $id) { publicUrl } }';
    expect((await world.owner.graph(query, { id })).data.formTemplate.publicUrl).toBe(ORIGIN + link);
    await unshareFormTemplates(world.ctx, { formTemplateIds: [id] });
    expect((await world.owner.graph(query, { id })).data.formTemplate.publicUrl).toBeNull();
  });

  it('stores a submission, and confirms it', async () => {
    const { link, stored, nameOf, ids } = await publicForm(VISIT);
    const form = new URLSearchParams([
      [nameOf('Guest'), 'Åsa “the mason”'],
      [nameOf('People'), '12'],
      [nameOf('Fee'), '7.50'],
      [nameOf('Day'), '2031-03-04'],
      [nameOf('Indoors'), 'true'],
      [nameOf('Weather'), 'frost'],
      [nameOf('Tools'), 'axe'],
      [nameOf('Tools'), 'saw'],
      [nameOf('Notes'), 'one\r\ntwo'],
    ]);
    const { status, headers } = await new Browser(app).post(link, form);
    expect(status).toBe(303);
    expect((await new Browser(app).open(headers.get('location') as string)).text).toContain('Thank you');
    const [submission, ...more] = await stored();
    expect(more).toEqual([]);
    const valuesOf = (name: string) =>
      submission?.values.filter(({ formFieldId }) => formFieldId === ids[name]).map(({ text }) => text);
    expect(Object.fromEntries(VISIT.map(({ name }) => [name, valuesOf(name)]))).toEqual({
      Guest: ['Åsa “the mason”'],
      People: ['12'],
      Fee: ['7.50'],
      Day: ['2031-03-04'],
      Indoors: ['true'],
      Weather: ['frost'],
      Tools: ['axe', 'saw'],
      Notes: ['one\ntwo'],
    });
  });

  it('shows all errors beside the fields, keeps the entered values, and stores nothing', async () => {
    const { link, stored, nameOf, ids } = await publicForm(VISIT);
    const { status, text } = await new Browser(app).post(link, {
      [nameOf('People')]: '900',
      [nameOf('Day')]: '2031-02-30',
      [nameOf('Weather')]: 'rain',
      [nameOf('Notes')]: '</textarea><script>alert(1)</script>',
    });
    expect(status).toBe(422);
    const errorOf = (name: string) => new RegExp(`id="question-${ids[name]}-error">([^<]*)<`).exec(text)?.[1];
    expect(['Guest', 'People', 'Day', 'Weather', 'Notes'].map(errorOf)).toEqual([
      'An answer is required.',
      'Must be at most 500.',
      'Must be a date such as 2026-01-31, or a time with its offset.',
      undefined,
      undefined,
    ]);
    expect(text).toContain(`href="#question-${ids.People}"`);
    expect(text).toContain('value="900"');
    expect(text).toMatch(/value="rain" checked/);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('<title>Error: Visit');
    expect(await stored()).toEqual([]);
  });

  it('refuses a forged choice beside its field', async () => {
    const { link, nameOf, ids, stored } = await publicForm(VISIT);
    const { status, text } = await new Browser(app).post(link, {
      [nameOf('Guest')]: 'Eve',
      [nameOf('Weather')]: 'hail',
    });
    expect(status).toBe(422);
    expect(text).toMatch(new RegExp(`id="question-${ids.Weather}-error">An answer is not among`));
    expect(await stored()).toEqual([]);
  });

  it('accepts only answers to its own fields', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    const other = await publicForm(VISIT);
    await new Browser(app).post(link, { [nameOf('Guest')]: 'Eve', [other.nameOf('Guest')]: 'Mallory' });
    const [submission] = await stored();
    expect(submission?.values.map(({ text }) => text)).toEqual(['Eve']);
    expect(await other.stored()).toEqual([]);
  });

  it('offers the choices of a dependent field in groups, and accepts one only with its parent', async () => {
    const { link, nameOf, ids } = await publicForm([
      { name: 'Area', type: 'TEXT', choices: true, offered: { '': ['quay', 'hall'] } },
      { name: 'Trade', type: 'TEXT', choices: true, offered: { quay: ['piling'], hall: ['joinery'] } },
    ]);
    const { data } = await world.owner.graph('query ($id: ID!) { formField(id: $id) { field { id } } }', {
      id: ids.Trade,
    });
    const parent = await world.owner.graph('query ($id: ID!) { formField(id: $id) { field { id } } }', {
      id: ids.Area,
    });
    await world.db.prisma.field.update({
      where: { id: data.formField.field.id },
      data: { parentId: parent.data.formField.field.id, choicesDependOnParent: true },
    });
    expect((await new Browser(app).open(link)).text).toContain('<optgroup label="quay">');
    const wrong = { [nameOf('Area')]: 'quay', [nameOf('Trade')]: 'joinery' };
    const { status, text } = await new Browser(app).post(link, wrong);
    expect(status).toBe(422);
    expect(text).toContain(`id="question-${ids.Trade}-error"`);
    expect((await new Browser(app).post(link, { ...wrong, [nameOf('Area')]: 'hall' })).status).toBe(303);
  });
});

describe('what is typed', () => {
  const german = { ...SAME, 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' };

  it('is read in the language of its reader, stored in decimal notation, and shown as it was understood', async () => {
    const { link, stored, nameOf, ids } = await publicForm(VISIT);
    const browser = new Browser(app);
    const typed = { [nameOf('Guest')]: 'Åsa', [nameOf('People')]: '12', [nameOf('Fee')]: '1.234' };
    const { headers, status } = await browser.post(link, { ...typed, [nameOf('Day')]: '4.3.2031' }, german);
    expect(status).toBe(303);
    const [submission] = await stored();
    const textOf = (name: string) => submission?.values.find((each) => each.formFieldId === ids[name])?.text;
    expect([textOf('People'), textOf('Fee'), textOf('Day')]).toEqual(['12', '1234', '2031-03-04']);
    const sent = headers.get('location') as string;
    const open = (by: Browser) => by.send(sent, { headers: german });
    expect((await open(browser)).text).toMatch(/Fee<\/bdi><\/dt><dd><bdi>1234<.*4\. März 2031/s);
    expect((await open(new Browser(app))).text).not.toContain('März');
  });

  it('is shown with how it was read, and limits in the same notation, where it is refused', async () => {
    const { link, nameOf, ids, stored } = await publicForm([
      { name: 'Share', type: 'NUMBER', rules: { maximum: '0.5', defaultValues: ['0.25'] } },
      { name: 'Rate', type: 'NUMBER' },
    ]);
    expect((await new Browser(app).send(link, { headers: german })).text).toContain('value="0,25"');
    const wrong = { [nameOf('Share')]: '1.000', [nameOf('Rate')]: 'viel' };
    const { status, text } = await new Browser(app).post(link, wrong, german);
    expect(status).toBe(422);
    expect(text).toContain('Read as 1000');
    expect(text).toContain('0,5 at most.');
    const errorOf = (name: string) => new RegExp(`id="question-${ids[name]}-error">([^<]*)<`).exec(text)?.[1];
    expect([errorOf('Share'), errorOf('Rate')]).toEqual([
      'Must be at most 0,5.',
      'Must be a number such as 1234,5.',
    ]);
    expect(text).toContain('value="1.000"');
    expect(await stored()).toEqual([]);
  });

  it('is not read where a choice was made: choices are sent as they are stored', async () => {
    const { link, nameOf, stored } = await publicForm([
      { name: 'Size', type: 'NUMBER', rules: { possibleValues: ['1.234', '2'] } },
    ]);
    expect((await new Browser(app).send(link, { headers: german })).text).toContain('<bdi>1,234</bdi>');
    expect((await new Browser(app).post(link, { [nameOf('Size')]: '1.234' }, german)).status).toBe(303);
    expect((await stored())[0]?.values.map(({ text }) => text)).toEqual(['1.234']);
  });
});

describe('the token of a page', () => {
  it('makes one submission, however often it is sent, and each visit has another one', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    const browser = new Browser(app);
    const token = hidden(await browser.open(link), 'token') as string;
    expect(hidden(await browser.open(link), 'token')).not.toBe(token);
    const send = (guest: string) => browser.post(link, { token, [nameOf('Guest')]: guest });
    const locations = [await send('Ann'), await send('Ann')].map(({ headers }) => headers.get('location'));
    expect(locations).toEqual([`${link}/sent`, `${link}/sent`]);
    const changed = (await send('Bob')).headers.get('location') as string;
    expect((await browser.open(changed)).text).toContain('what you changed after that was not sent');
    const submissions = await stored();
    expect(submissions.map(({ values }) => values.map(({ text }) => text))).toEqual([['Ann']]);
  });

  it('stays after an error, belongs to its form, and is not made up', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    const other = await publicForm(VISIT);
    const browser = new Browser(app);
    const token = hidden(await browser.open(link), 'token') as string;
    expect(hidden(await browser.post(link, { token }), 'token')).toBe(token);
    await browser.post(link, { token, [nameOf('Guest')]: 'Ann' });
    await browser.post(other.link, { token, [other.nameOf('Guest')]: 'Eve' });
    expect([await stored(), await other.stored()].map((each) => each.length)).toEqual([1, 1]);
    expect((await browser.post(link, { token: 'x', [nameOf('Guest')]: 'Eve' })).status).toBe(400);
  });

  it('does not show the answers of a submission to who knows its id', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    await new Browser(app).post(link, { [nameOf('Guest')]: 'Ann', [nameOf('Fee')]: '777' });
    const [submission] = await stored();
    const thief = new Browser(app);
    thief.cookie = `docgraph_receipt=${submission?.id}`;
    const { status, text } = await thief.open(`${link}/sent`);
    expect([status, text.includes('777')]).toEqual([200, false]);
  });
});

describe('an invalid link of a form', () => {
  it('is answered equally if it is unknown, revoked, or of a deleted project', async () => {
    const { id, link, projectId } = await publicForm(VISIT);
    expect((await new Browser(app).open(link)).status).toBe(200);
    await unshareFormTemplates(world.ctx, { formTemplateIds: [id] });
    const deletedForm = await publicForm(VISIT);
    await deleteProjects(world.ctx, {
      organizationId: world.organization.id,
      projectIds: [deletedForm.projectId],
    });
    const dead = [
      link,
      `${link}/sent`,
      deletedForm.link,
      `/forms/dgl_${'b'.repeat(43)}`,
      '/forms/x',
      `/forms/${id}`,
    ];
    for (const path of dead) {
      const { status, text } = await new Browser(app).open(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('This link is not valid');
    }
    expect(projectId).not.toBe(deletedForm.projectId);
  });

  it('answers that the form is closed while its project is disabled', async () => {
    const { link, projectId, nameOf, stored } = await publicForm(VISIT);
    await world.db.prisma.project.update({ where: { id: projectId }, data: { disabledAt: new Date() } });
    expect((await new Browser(app).open(link)).text).toContain('This form is closed');
    expect((await new Browser(app).post(link, { [nameOf('Guest')]: 'Eve' })).status).toBe(409);
    expect(await stored()).toEqual([]);
  });
});

describe('requests of other sites and of programs', () => {
  it('cannot submit from another site', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    const headers = { ...SAME, 'sec-fetch-site': 'cross-site' };
    expect((await new Browser(app).post(link, { [nameOf('Guest')]: 'Eve' }, headers)).status).toBe(403);
    expect(await stored()).toEqual([]);
  });

  it('cannot send another content type, nor an endless body', async () => {
    const { link } = await publicForm(VISIT);
    const json = { ...SAME, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers: json, body: '{}' };
    expect((await new Browser(app).send(link, sent)).status).toBe(400);
    expect((await new Browser(app).post(link, { huge: 'x'.repeat(2 ** 21) })).status).toBe(413);
  });

  it('are rate limited for each network', async () => {
    const { link, nameOf, stored } = await publicForm(VISIT);
    const slow = await newApp(world.db, { env: { PUBLIC_ANSWERS: '2' } });
    const post = (address: string) => new Browser(slow, address).post(link, { [nameOf('Guest')]: 'Eve' });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await post('192.0.2.1')).status);
    expect(statuses).toEqual([303, 303, 429]);
    expect((await post('203.0.113.1')).status).toBe(303);
    expect(await stored()).toHaveLength(3);
  });
});
