import { expect, it } from 'vitest';
import { updateProjectSettings } from '../../../src/domain/projects/project-settings-change.ts';
import { newWorld } from '../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { organization, project } = world;
  return { ...world, path: `/organizations/${organization.id}/projects/${project.id}/settings` };
}

it('reads empty texts where nothing was set', async () => {
  const { owner, project, path } = await setUp();
  const { body } = await owner.rest('GET', path);
  expect(body).toMatchObject({
    ProjectID: project.id,
    ProjectName: project.name,
    AllowPublicDocumentFolders: false,
    DocumentRootLabel: '',
    PublicPrimaryColor: '',
    PublicFontURL: '',
  });
  expect(Object.keys(body)).toHaveLength(18);
});

it('reads what was set in the graph, each in its member', async () => {
  const { owner, project, path } = await setUp();
  const publicFace = {
    ...{ primaryColor: '#111111', primaryAccentColor: '#222222', secondaryColor: '#333333' },
    ...{ secondaryAccentColor: '#444444', backgroundColor: '#555555', paperColor: '#666666' },
    ...{ paneColor: '#777777', toolBarColor: '#888888', cardActionBarColor: '#999999' },
    treeNodeHighlightColor: '#aaaaaa',
    folderIconUrl: 'https://brand.example/folder.svg',
    fontFamily: 'Georgia',
    fontUrl: 'https://brand.example/font.css',
  };
  const input = { projectId: project.id, documentRootLabel: 'Archive', publicFace };
  await updateProjectSettings(await owner.context(), input);
  expect((await owner.rest('GET', path)).body).toMatchObject({
    DocumentRootLabel: 'Archive',
    PublicPrimaryColor: '#111111',
    PublicPrimaryAccentColor: '#222222',
    PublicSecondaryColor: '#333333',
    PublicSecondaryAccentColor: '#444444',
    PublicDefaultBackgroundColor: '#555555',
    PublicPaperBackgroundColor: '#666666',
    PublicPaneBackgroundColor: '#777777',
    PublicToolBarBackgroundColor: '#888888',
    PublicCardActionBarBackgroundColor: '#999999',
    PublicTreeNodeHighlightBackgroundColor: '#aaaaaa',
    PublicFolderIconURL: 'https://brand.example/folder.svg',
    PublicFontFamily: 'Georgia',
    PublicFontURL: 'https://brand.example/font.css',
  });
});

it('does not read them to a stranger, nor under another organization', async () => {
  const { owner, stranger, project, path } = await setUp();
  const elsewhere = await newWorld();
  expect((await stranger.rest('GET', path)).status).toBe(404);
  const other = `/organizations/${elsewhere.organization.id}/projects/${project.id}/settings`;
  expect((await owner.rest('GET', other)).status).toBe(404);
});
