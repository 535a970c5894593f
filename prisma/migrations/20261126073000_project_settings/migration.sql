-- CreateTable
CREATE TABLE "project_settings" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "document_root_label" TEXT COLLATE "C",
    "primary_color" TEXT COLLATE "C",
    "primary_accent_color" TEXT COLLATE "C",
    "secondary_color" TEXT COLLATE "C",
    "secondary_accent_color" TEXT COLLATE "C",
    "background_color" TEXT COLLATE "C",
    "paper_color" TEXT COLLATE "C",
    "pane_color" TEXT COLLATE "C",
    "tool_bar_color" TEXT COLLATE "C",
    "card_action_bar_color" TEXT COLLATE "C",
    "tree_node_highlight_color" TEXT COLLATE "C",
    "folder_icon_url" TEXT COLLATE "C",
    "font_family" TEXT COLLATE "C",
    "font_url" TEXT COLLATE "C",

    CONSTRAINT "project_settings_pkey" PRIMARY KEY ("organization_id","project_id")
);

-- AddForeignKey
ALTER TABLE "project_settings" ADD CONSTRAINT "project_settings_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
ALTER TABLE project_settings ALTER COLUMN organization_id SET (n_distinct = 1);
