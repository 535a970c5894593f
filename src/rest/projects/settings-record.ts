import type { GetProjectSettingsQuery } from '../../generated/operations/graphql.ts';
import { boolean, one, record, string } from '../shape/record.ts';
import { projectAccess } from './record.ts';

type Project = NonNullable<GetProjectSettingsQuery['project']>;
type PublicFace = Project['settings']['publicFace'];

const ofFace = (name: keyof PublicFace, about: string) =>
  string(({ settings }: Project) => settings.publicFace[name], about);

export const settingsRecord = record<Project>(
  'ProjectSettings',
  'The settings of a project, and its colours for people without an account: `#rgb` or `#rrggbb`.',
  {
    ProjectID: string((project) => project.id),
    ProjectName: string((project) => project.name),
    ProjectAccess: one(projectAccess, (project) => project.access),
    AllowPublicDocumentFolders: boolean(() => false, 'Always false: folders are never public.'),
    DocumentRootLabel: string(
      (project) => project.settings.documentRootLabel,
      'What clients show in place of the root of the folders.',
    ),
    PublicFolderIconURL: ofFace('folderIconUrl', 'The https URL of an icon of folders.'),
    PublicFontFamily: ofFace('fontFamily', 'Names of font families as in CSS.'),
    PublicFontURL: ofFace('fontUrl', 'The https URL of a font or its style sheet.'),
    PublicPrimaryColor: ofFace('primaryColor', 'Buttons and links.'),
    PublicPrimaryAccentColor: ofFace('primaryAccentColor', 'Buttons and links under the pointer.'),
    PublicSecondaryColor: ofFace('secondaryColor', 'The second colour of the brand.'),
    PublicSecondaryAccentColor: ofFace('secondaryAccentColor', 'A variant of the second colour.'),
    PublicDefaultBackgroundColor: ofFace('backgroundColor', 'The background of a page.'),
    PublicPaperBackgroundColor: ofFace('paperColor', 'The background of cards and inputs.'),
    PublicPaneBackgroundColor: ofFace('paneColor', 'The background of panes.'),
    PublicToolBarBackgroundColor: ofFace('toolBarColor', 'The background of the bar at the top.'),
    PublicCardActionBarBackgroundColor: ofFace('cardActionBarColor', 'The background of the bar of a card.'),
    PublicTreeNodeHighlightBackgroundColor: ofFace(
      'treeNodeHighlightColor',
      'The background of the selected folder in a tree.',
    ),
  },
  { PublicPrimaryColor: '#7a0019', DocumentRootLabel: 'Archive' },
);
