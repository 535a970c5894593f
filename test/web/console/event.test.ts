import { beforeAll, describe, expect, it } from 'vitest';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { newDocuments } from '../../support/storage.ts';
import { HOSTILE, newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

/** A comment with a text, the path of its event in the log, and that of its document. */
async function comment(text: string) {
  const { owner, project, path } = scene;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const documentId = document?.id as string;
  const [{ id } = { id: '' }] = await createComments(ctx, { documentId, texts: [text] });
  const page = `${path}/projects/${project.id}/documents/${documentId}`;
  return { event: `${path}/log/${id.replace('cmt_', 'evt_')}`, page };
}

describe('the page of an event', () => {
  it('removes the content with a reason, and says so in the log and with the comment', async () => {
    const { as } = scene;
    const { event, page } = await comment(`marigold${HOSTILE}`);
    const before = await as.owner.open(event);
    expect(before.text).toContain('marigold&lt;script&gt;');
    const done = await as.owner.submit(`${event}/redact`, { reason: 'Asked for', confirm: 'yes' });
    const after = await as.owner.open(done.headers.get('location') as string);
    expect(after.text).toContain('The content was removed.');
    expect(after.text).not.toContain('marigold');
    expect(after.text).not.toContain('Remove its content');
    expect((await as.owner.open(page)).text).toContain('Its text was removed.');
    expect((await as.owner.open(`${scene.path}/log?kinds=event.redacted`)).text).toContain('Asked for');
  });

  it.each([
    [{ reason: 'Asked for' }, 'confirm', 422],
    [{ reason: '', confirm: 'yes' }, 'reason', 422],
  ])('changes nothing for %j', async (fields, at, status) => {
    const { as } = scene;
    const { event } = await comment('tulip');
    const refused = await as.owner.submit(`${event}/redact`, fields as Record<string, string>);
    expect([refused.status, refused.text.includes(`href="#${at}"`)]).toEqual([status, true]);
    expect((await as.owner.open(event)).text).toContain('tulip');
  });

  it('has no form for members, who are refused, and is no page for strangers', async () => {
    const { as } = scene;
    const { event } = await comment('zinnia');
    const seen = await as.member.open(event);
    expect([seen.status, seen.text.includes('Remove its content')]).toEqual([200, false]);
    const fields = { reason: 'I want to', confirm: 'yes' };
    expect((await as.member.submit(`${event}/redact`, fields)).status).toBe(403);
    expect((await as.stranger.open(event)).status).toBe(404);
    expect((await as.stranger.submit(`${event}/redact`, fields)).status).toBe(404);
    expect((await as.owner.open(event)).text).toContain('zinnia');
  });

  it('is not there below another organization', async () => {
    const { as } = scene;
    const { event } = await comment('aster');
    const elsewhere = event.replace(/org_[0-9a-z]{26}/, 'org_00000000000000000000000000');
    expect((await as.owner.open(elsewhere)).status).toBe(404);
  });
});
