import { type Sql, sql } from '../../db/sql/sql.ts';
import type { ProjectSettings as SettingsRow } from '../../generated/prisma/client.ts';
import { visibleProjects } from '../access/access.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

/** Colours of the pages of a project for people without an account; each `#rgb` or `#rrggbb`. */
export const FACE_COLORS = [
  'primaryColor',
  'primaryAccentColor',
  'secondaryColor',
  'secondaryAccentColor',
  'backgroundColor',
  'paperColor',
  'paneColor',
  'toolBarColor',
  'cardActionBarColor',
  'treeNodeHighlightColor',
] as const satisfies readonly (keyof SettingsRow)[];

export type FaceColor = (typeof FACE_COLORS)[number];

export const FACE_MEMBERS = [...FACE_COLORS, 'folderIconUrl', 'fontFamily', 'fontUrl'] as const;

/** How a project looks to people without an account; null where it is not set. */
export type PublicFace = Pick<SettingsRow, (typeof FACE_MEMBERS)[number]>;

/** The settings of a project, by its id; all null where none were set. */
export type ProjectSettings = PublicFace & Pick<SettingsRow, 'documentRootLabel'> & { id: string };

/** The columns of the settings. */
export const SETTINGS_COLUMNS: Sql =
  sql.raw(`document_root_label, primary_color, primary_accent_color, secondary_color,
  secondary_accent_color, background_color, paper_color, pane_color, tool_bar_color, card_action_bar_color,
  tree_node_highlight_color, folder_icon_url, font_family, font_url`);

/** Finds settings by the ids of their projects. */
export const findProjectSettings = finder<ProjectSettings>(
  ({ viewer }, are) => sql`SELECT p.id, ${SETTINGS_COLUMNS} FROM ${tables.projects.from}
    LEFT JOIN project_settings x ON x.organization_id = p.organization_id AND x.project_id = p.id
    WHERE p.id ${are} AND ${visibleProjects(viewer, tables.projects)}`,
);
