import type { Project as ProjectRow } from '../../../domain/projects/project.ts';
import {
  FACE_COLORS,
  type FaceColor,
  findProjectSettings,
  type ProjectSettings as SettingsRow,
} from '../../../domain/projects/project-settings.ts';
import { updateProjectSettings } from '../../../domain/projects/project-settings-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Project } from './type.ts';

const COLORS: Record<FaceColor, string> = {
  primaryColor: 'Buttons and links.',
  primaryAccentColor: 'Buttons and links under the pointer.',
  secondaryColor: 'The second colour of the brand, for clients.',
  secondaryAccentColor: 'A variant of the second colour, for clients.',
  backgroundColor: 'The background of a page.',
  paperColor: 'The background of cards and inputs.',
  paneColor: 'The background of panes, for clients.',
  toolBarColor: 'The background of the bar at the top.',
  cardActionBarColor: 'The background of the bar of a card, for clients.',
  treeNodeHighlightColor: 'The background of the selected folder in a tree, for clients.',
};

const FOLDER_ICON = 'An https URL of the icon of folders, for clients. The server never loads it.';
const FONT_FAMILY = 'Names of font families as in CSS, for clients; at most 200 characters.';
const FONT_URL = 'An https URL of a font or its style sheet, for clients. The server never loads it.';
const ROOT_LABEL = 'What clients show in place of the root of the folders; at most 255 characters.';

const PublicFace = builder.objectRef<SettingsRow>('PublicFace').implement({
  description:
    'How a project looks to people without an account. Public forms use the colours of buttons, links, bar, page and cards, adapted so that texts stay readable.',
  fields: (t) => ({
    ...(Object.fromEntries(
      FACE_COLORS.map((name) => [
        name,
        t.exposeString(name, { nullable: true, description: `${COLORS[name]} Null if it is not set.` }),
      ]),
    ) as Record<FaceColor, ReturnType<typeof t.string>>),
    folderIconUrl: t.exposeString('folderIconUrl', { nullable: true, description: FOLDER_ICON }),
    fontFamily: t.exposeString('fontFamily', { nullable: true, description: FONT_FAMILY }),
    fontUrl: t.exposeString('fontUrl', { nullable: true, description: FONT_URL }),
  }),
});

const ProjectSettings = builder.objectRef<SettingsRow>('ProjectSettings').implement({
  description: 'The settings of a project.',
  fields: (t) => ({
    documentRootLabel: t.exposeString('documentRootLabel', { nullable: true, description: ROOT_LABEL }),
    publicFace: t.field({
      type: PublicFace,
      description: 'How it looks to people without an account.',
      extensions: IN_PAST,
      resolve: (settings) => settings,
    }),
  }),
});

builder.objectField(Project, 'settings', (t) =>
  t.field({
    type: ProjectSettings,
    description: 'Its settings.',
    extensions: IN_PAST,
    resolve: ({ id }, _, { load }) => load.seen(findProjectSettings, id, 'Project'),
  }),
);

const PublicFaceInput = builder.inputType('PublicFaceInput', {
  description: 'A change of how a project looks. A member that is left out stays; null removes it.',
  fields: (t) => ({
    ...(Object.fromEntries(
      FACE_COLORS.map((name) => [
        name,
        t.string({ description: `${COLORS[name]} \`#rgb\` or \`#rrggbb\`.` }),
      ]),
    ) as Record<FaceColor, ReturnType<typeof t.string>>),
    folderIconUrl: t.string({ description: FOLDER_ICON }),
    fontFamily: t.string({ description: FONT_FAMILY }),
    fontUrl: t.string({ description: FONT_URL }),
  }),
});

const updateProjectSettingsInput = mutationInput({
  description: 'A change of settings. A member that is left out stays; null removes it.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Of which project.' }),
    documentRootLabel: t.string({ description: ROOT_LABEL }),
    publicFace: t.field({
      type: PublicFaceInput,
      description: 'How it looks to people without an account; null removes all of that.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const updateProjectSettingsPayload = mutationPayload<{ project: ProjectRow }>({
  description: 'The project after the change.',
  fields: (t) => ({ project: t.expose('project', { type: Project, description: 'The project.' }) }),
});

mutation('updateProjectSettings', {
  scope: 'organizations:write',
  description: 'Changes the settings of a project. Requires the role ADMIN in it.',
  argument: 'The change.',
  input: updateProjectSettingsInput,
  payload: updateProjectSettingsPayload,
  resolve: async (input, ctx) => ({ project: await updateProjectSettings(ctx, input) }),
});
