import type { GetProjectSettingsQuery } from '../../generated/operations/graphql.ts';
import { text } from '../wire/values.ts';
import { projectAccess } from './record.ts';

type Project = NonNullable<GetProjectSettingsQuery['project']>;

/** ProjectSettings: empty texts for what is not set. Folders are never public. */
export function settingsRecord({ id, name, access, settings }: Project) {
  const { documentRootLabel, publicFace: face } = settings;
  return {
    ProjectID: id,
    ProjectName: name,
    ProjectAccess: projectAccess(access),
    AllowPublicDocumentFolders: false,
    DocumentRootLabel: text(documentRootLabel),
    PublicFolderIconURL: text(face.folderIconUrl),
    PublicFontFamily: text(face.fontFamily),
    PublicFontURL: text(face.fontUrl),
    PublicPrimaryColor: text(face.primaryColor),
    PublicPrimaryAccentColor: text(face.primaryAccentColor),
    PublicSecondaryColor: text(face.secondaryColor),
    PublicSecondaryAccentColor: text(face.secondaryAccentColor),
    PublicDefaultBackgroundColor: text(face.backgroundColor),
    PublicPaperBackgroundColor: text(face.paperColor),
    PublicPaneBackgroundColor: text(face.paneColor),
    PublicToolBarBackgroundColor: text(face.toolBarColor),
    PublicCardActionBarBackgroundColor: text(face.cardActionBarColor),
    PublicTreeNodeHighlightBackgroundColor: text(face.treeNodeHighlightColor),
  };
}
