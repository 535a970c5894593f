import { describe, expect, it } from 'vitest';
import { newId } from '../../../../src/lib/id.ts';
import { newMember } from '../../../support/world.ts';
import { HOSTILE } from '../scene.ts';
import { newApprovalScene } from './scene.ts';

type Fields = Record<string, string | string[]>;

/** The fields of a form in which a field may be given several times. */
const formOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );

/** A world whose owner has the form of a process; `save` submits it for a new one. */
async function scene() {
  const world = await newApprovalScene();
  const { db, owner, as, projectPath, project } = world;
  const admin = await as(owner);
  const list = `${projectPath}/processes`;
  const save = (fields: Fields) => admin.submit(`${list}/new`, formOf({ do: 'save', count: '1', ...fields }));
  const stored = () =>
    db.prisma.process.findMany({
      where: { projectId: project.id },
      include: {
        steps: {
          orderBy: [{ rank: 'asc' }, { name: 'asc' }],
          include: { approvers: true, groups: true, escalations: true },
        },
      },
    });
  return { ...world, admin, list, save, stored };
}

/** The fields of one step. */
const step = (position: number, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([member, value]) => [`steps.${position}.${member}`, value]));

describe('a process in the console', () => {
  it('is created with all that a step can say, and shown as a text', async () => {
    const { ann, bob, cyd, group, admin, as, save, stored, list } = await scene();
    const [board, legal] = [await group(`Board ${HOSTILE}`, ann), await group('Legal', cyd)];
    const { status, headers } = await save({
      ...{ name: `Release ${HOSTILE}`, count: '3' },
      ...step(0, { name: 'Check', approverIds: [ann.id, bob.id], quorum: 'COUNT', need: '2' }),
      ...step(1, {
        name: 'Read',
        isParallel: 'yes',
        groupIds: [board],
        quorum: 'ALL',
        veto: 'yes',
        distinctFromEarlier: 'yes',
      }),
      ...step(2, {
        name: 'Sign off',
        approverIds: bob.id,
        veto: 'yes',
        excludeRequester: 'yes',
        dueAfterDays: '4',
      }),
      ...step(2, { onOverdue: 'ESCALATE', escalateToIds: cyd.id, escalateToGroupId: legal }),
    });
    const [process] = await stored();
    const path = `${list}/${process?.id}`;
    expect([status, headers.get('location')]).toEqual([303, `${path}?done=created`]);
    expect(process?.steps).toMatchObject([
      { name: 'Check', rank: 0, need: 2, veto: false, approvers: [{}, {}], groups: [] },
      {
        name: 'Read',
        rank: 0,
        rule: 'ALL',
        need: null,
        veto: true,
        distinctFromEarlier: true,
        groups: [{ groupId: board }],
      },
      {
        ...{ name: 'Sign off', rank: 1, rule: 'ONE', excludeRequester: true, dueAfterDays: 4 },
        ...{ onOverdue: 'ESCALATE', escalateGroupId: legal, escalations: [{ userId: cyd.id }] },
      },
    ]);
    const { text } = await (await as(ann)).open(path);
    for (const each of [
      '2 approvers have to approve.',
      'At the same time as the step before.',
      'Due 4 days after',
      'Legal',
    ])
      expect(text).toContain(each);
    expect(text).toContain('Board &lt;script&gt;');
    for (const each of ['<script>alert', `${path}/edit`, `${path}/state`]) expect(text).not.toContain(each);
    const form = (await admin.open(`${path}/edit`)).text;
    for (const each of ['value="Sign off"', `value="${legal}" checked`, 'value="2"'])
      expect(form).toContain(each);
    expect((await admin.open(list)).text).toContain(`href="${path}"`);
  });

  it('is edited without a script: steps are added, moved and removed with what was entered', async () => {
    const { ann, bob, admin, stored, list } = await scene();
    const entered = {
      ...{ name: HOSTILE, count: '2' },
      ...step(0, { name: 'First', approverIds: ann.id, need: 'x' }),
      ...step(1, { name: 'Second', approverIds: bob.id, isParallel: 'yes' }),
    };
    const namesAfter = async (button: string) => {
      const { status, text } = await admin.submit(`${list}/new`, formOf({ ...entered, do: button }));
      expect([status, text.includes('value="&lt;script&gt;'), text.includes('<script>alert')]).toEqual([
        200,
        true,
        false,
      ]);
      return [...text.matchAll(/name="steps\.\d+\.name"[^>]*value="([^"]*)"/g)].map(([, name]) => name);
    };
    expect(await namesAfter('add')).toEqual(['First', 'Second', '']);
    expect(await namesAfter('up.1')).toEqual(['Second', 'First']);
    expect(await namesAfter('down.0')).toEqual(['Second', 'First']);
    expect(await namesAfter('remove.0')).toEqual(['Second']);
    for (const none of ['up.0', 'down.1', 'remove.7', 'up.-1', 'toString', ''])
      expect([none, await namesAfter(none)]).toEqual([none, ['First', 'Second']]);
    expect(await stored()).toEqual([]);
  });

  it('is refused at the field, with what was entered', async () => {
    const { db, organization, ann, save, stored, group } = await scene();
    const guest = await newMember(db, organization.id, 'GUEST');
    const groupId = await group('Board', ann);
    const valid = { name: 'Release', ...step(0, { name: 'Check', approverIds: ann.id }) };
    const forms: [string, Fields][] = [
      ['name', { ...valid, name: '' }],
      ['name', { ...valid, name: 'x'.repeat(300) }],
      ['steps.0.name', { ...valid, 'steps.0.name': '' }],
      ['steps.0.approverIds', { ...valid, 'steps.0.approverIds': [] }],
      ['steps.0.approverIds', { ...valid, 'steps.0.approverIds': [ann.id, guest.id] }],
      ['steps.0.approverIds', { ...valid, 'steps.0.approverIds': ['nobody', ann.id] }],
      ['steps.0.approverIds', { ...valid, 'steps.0.approverIds': newId('User') }],
      ['steps.0.need', { ...valid, ...step(0, { quorum: 'COUNT' }) }],
      ['steps.0.need', { ...valid, ...step(0, { quorum: 'COUNT', need: '2' }) }],
      ['steps.0.need', { ...valid, ...step(0, { quorum: 'COUNT', need: 'two' }) }],
      ['steps.0.dueAfterDays', { ...valid, ...step(0, { dueAfterDays: '1.5' }) }],
      ['steps.0.dueAfterDays', { ...valid, ...step(0, { onOverdue: 'DECLINE' }) }],
      ['steps.0.escalateToIds', { ...valid, ...step(0, { dueAfterDays: '1', onOverdue: 'ESCALATE' }) }],
      ['steps.0.onOverdue', { ...valid, ...step(0, { escalateToGroupId: groupId }) }],
      ['steps.0.quorum', { ...valid, ...step(0, { quorum: 'MOST' }) }],
    ];
    for (const [field, entered] of forms) {
      const { status, text } = await save(entered);
      expect([field, entered, status, text.includes(`id="${field}-error"`)]).toEqual([
        field,
        entered,
        422,
        true,
      ]);
      expect(text).toContain(`href="#${field}"`);
    }
    const { text } = await save({ ...valid, 'steps.0.approverIds': [ann.id, guest.id] });
    expect(text).toContain('is no editor of the project.');
    expect(await stored()).toEqual([]);
  });

  it('is searched for approvers among many', async () => {
    const { db, organization, ann, admin, list } = await scene();
    for (let each = 0; each < 20; each++) await newMember(db, organization.id, 'MEMBER');
    const wanted = await newMember(db, organization.id, 'MEMBER');
    const fields = {
      do: 'find',
      count: '1',
      ...step(0, { approverIds: ann.id }),
      'find-steps.0.approverIds': wanted.email,
    };
    const { text } = await admin.submit(`${list}/new`, formOf(fields));
    const offered = [...text.matchAll(/name="steps\.0\.approverIds" value="([^"]*)"( checked)?/g)];
    expect(offered.map(([, id, checked]) => [id, checked !== undefined])).toEqual([
      [ann.id, true],
      [wanted.id, false],
    ]);
  });

  it('names an approver who is no editor any more until somebody removes them', async () => {
    const { ann, bob, join, process, admin, stored, list } = await scene();
    const { id } = await process({ name: 'Check', approvers: [ann, bob] });
    await join(ann, 'VIEWER');
    const path = `${list}/${id}/edit`;
    expect((await admin.open(path)).text).toContain(`value="${ann.id}" checked`);
    const change = async (...approverIds: string[]) => {
      const [before] = await stored();
      const stepId = before?.steps[0]?.id ?? '';
      const fields = { do: 'save', count: '1', version: '1', name: 'Release' };
      return admin.submit(
        path,
        formOf({ ...fields, ...step(0, { id: stepId, name: 'Check', approverIds }) }),
      );
    };
    const refused = await change(ann.id, bob.id);
    expect([refused.status, refused.text.includes(`Person ${ann.id.slice(-4)} is no editor`)]).toEqual([
      422,
      true,
    ]);
    expect((await change(bob.id)).status).toBe(303);
    expect(await stored()).toMatchObject([{ steps: [{ approvers: [{ userId: bob.id }] }] }]);
  });

  it('is changed by the first of two who opened it, and disabled and enabled', async () => {
    const { ann, process, admin, as, start, newDocument, stored, list } = await scene();
    const { id } = await process({ name: 'Check', approvers: [ann] });
    const path = `${list}/${id}`;
    const [before] = await stored();
    const change = (name: string, fields: Fields = {}) =>
      admin.submit(
        `${path}/edit`,
        formOf({
          ...{ do: 'save', count: '1', version: '1', name },
          ...step(0, { id: before?.steps[0]?.id ?? '', name: 'Check', approverIds: ann.id, veto: 'yes' }),
          ...fields,
        }),
      );
    expect((await change('Mine')).headers.get('location')).toBe(`${path}?done=changed`);
    const second = await change('Theirs');
    expect([second.status, second.text.includes('value="Theirs"')]).toEqual([409, true]);
    expect((await change('Without a version', { version: [] })).status).toBe(409);
    await start({ ...before, id } as never, await newDocument());
    const removed = await change('Mine', { version: '2', 'steps.0.id': '' });
    expect([
      removed.status,
      removed.text.includes('A step that already has approvals cannot be removed.'),
    ]).toEqual([409, true]);
    expect(await stored()).toMatchObject([{ name: 'Mine', steps: [{ id: before?.steps[0]?.id }] }]);
    await admin.submit(`${path}/state`, { do: 'disable' });
    expect((await stored())[0]?.archivedAt).not.toBeNull();
    await admin.submit(`${path}/state`, { do: 'enable' });
    expect((await stored())[0]?.archivedAt).toBeNull();
    expect((await (await as(ann)).open(path)).text).toContain('Plan.txt');
  });

  it('is changed by no editor, unknown to a stranger, and takes no form of another session', async () => {
    const { ann, stranger, process, as, admin, stored, list, organizationPath, projectPath } = await scene();
    const { id } = await process({ name: 'Check', approvers: [ann] });
    const [editor, outsider] = [await as(ann), await as(stranger)];
    const fields = formOf({
      do: 'save',
      count: '1',
      name: 'Mine',
      version: '1',
      ...step(0, { name: 'A', approverIds: ann.id }),
    });
    for (const path of [`${list}/new`, `${list}/${id}/edit`, `${list}/${id}/state`]) {
      expect([path, (await editor.submit(path, fields)).status]).toEqual([path, 403]);
      expect([path, (await outsider.submit(path, fields)).status]).toEqual([path, 404]);
      expect([path, (await admin.browser.post(path, new URLSearchParams(fields))).status]).toEqual([
        path,
        403,
      ]);
    }
    for (const path of [`${list}/new`, `${list}/${id}/edit`])
      expect((await editor.open(path)).status).toBe(403);
    expect((await editor.open(list)).text).not.toContain(`${list}/new`);
    for (const path of [list, `${list}/${id}`]) expect((await outsider.open(path)).status).toBe(404);
    const elsewhere = projectPath.replace(/[^/]*$/, newId('Project'));
    for (const path of [
      `${elsewhere}/processes/${id}`,
      `${list}/${newId('Process')}`,
      `${organizationPath}/nothing`,
    ])
      expect((await admin.open(path)).status).toBe(404);
    expect(await stored()).toMatchObject([{ name: 'Release', version: 1 }]);
  });
});
