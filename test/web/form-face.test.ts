import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { formLink } from '../../src/domain/forms/form.ts';
import { shareFormTemplates } from '../../src/domain/forms/form-share.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { updateProjectSettings } from '../../src/domain/projects/project-settings-change.ts';
import { Browser, newApp } from '../support/browser.ts';
import { newForm, newFormWorld } from '../support/forms.ts';

let world: Awaited<ReturnType<typeof newFormWorld>>;
let app: Awaited<ReturnType<typeof newApp>>;
let count = 0;

beforeAll(async () => {
  world = await newFormWorld();
  app = await newApp(world.db);
});

type Face = NonNullable<Parameters<typeof updateProjectSettings>[1]['publicFace']>;

/** The link of a public form in a new project with this face. */
async function formWith(publicFace?: Face) {
  count += 1;
  const { organization, ctx } = world;
  const projects = [{ name: `Faces ${count}` }];
  const [project] = await createProjects(ctx, { organizationId: organization.id, projects });
  const projectId = project?.id as string;
  const { id } = await newForm(ctx, projectId, [{ name: 'Guest', type: 'TEXT' }]);
  const [form] = await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
  if (publicFace) await updateProjectSettings(ctx, { projectId, publicFace });
  return { id, link: `/forms/${form && formLink(ctx, form)}` };
}

const stylesOf = (html: string) => [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, css = '']) => css);

/** The style sheets that the policy of the page does not allow. */
const refusedStyles = (html: string, policy: string | null) =>
  stylesOf(html).filter(
    (css) => !policy?.includes(`'sha256-${createHash('sha256').update(css).digest('base64')}'`),
  );

describe('a public form of a project with colours', () => {
  it('is shown in them by a style sheet that its policy allows, as is the page after it was sent', async () => {
    const { link } = await formWith({ primaryColor: '#7a0019', toolBarColor: '#7a0019' });
    const browser = new Browser(app);
    const form = await browser.open(link);
    const sent = await browser.open(`${link}/sent`);
    expect([form.status, sent.status]).toEqual([200, 200]);
    for (const { text, headers } of [form, sent]) {
      expect(stylesOf(text).at(-1)).toContain('--accent: #7a0019;');
      expect(stylesOf(text).at(-1)).toContain('.masthead { background: #7a0019;');
      expect(refusedStyles(text, headers.get('content-security-policy'))).toEqual([]);
    }
  });

  it('loads nothing from other origins, whatever its face has', async () => {
    const { link } = await formWith({
      primaryColor: '#7a0019',
      fontFamily: 'Brand Sans',
      fontUrl: 'https://brand.example/font.woff2',
      folderIconUrl: 'https://brand.example/folder.svg',
    });
    const { text, headers } = await new Browser(app).open(link);
    expect(text).not.toContain('brand.example');
    expect(headers.get('content-security-policy')).not.toContain('https:');
  });

  it('has the usual colours without any', async () => {
    const plain = await formWith();
    const removed = await formWith({ primaryColor: null });
    for (const { link } of [plain, removed]) {
      const { text } = await new Browser(app).open(link);
      expect(stylesOf(text)).toHaveLength(2);
    }
  });

  it('is shown in them also when it is closed', async () => {
    const { id, link } = await formWith({ paperColor: '#fffbea' });
    const { db } = world;
    const { projectId } = await db.prisma.formTemplate.findFirstOrThrow({ where: { id } });
    await db.prisma.project.updateMany({ where: { id: projectId }, data: { disabledAt: new Date() } });
    const { text, headers } = await new Browser(app).open(link);
    expect(text).toContain('This form is closed');
    expect(stylesOf(text).at(-1)).toContain('--paper: #fffbea;');
    expect(refusedStyles(text, headers.get('content-security-policy'))).toEqual([]);
  });
});
