-- CreateTable
CREATE TABLE "notifications" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "notification_cursors" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "notification_cursors_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notifications_id_key" ON "notifications"("id");

-- CreateIndex
CREATE INDEX "notifications_organization_id_project_id_idx" ON "notifications"("organization_id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_user_id_event_id_key" ON "notifications"("user_id", "event_id");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_cursors" ADD CONSTRAINT "notification_cursors_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
CREATE UNIQUE INDEX notifications_followed ON notifications (user_id, subject_id) WHERE kind = 'FOLLOWED' AND read_at IS NULL;
-- The order of the inbox: unread ones first, then by the event, whose ids ascend.
CREATE INDEX notifications_inbox ON notifications (user_id, ((CASE WHEN read_at IS NULL THEN '1' ELSE '0' END) || event_id), id);
CREATE INDEX notifications_read ON notifications (read_at) WHERE read_at IS NOT NULL;

-- Each organization has a position from its first event on. Events before this migration notify nobody.
INSERT INTO notification_cursors (organization_id, sequence) SELECT organization_id, sequence FROM event_heads;
CREATE FUNCTION add_notification_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification_cursors (organization_id, sequence) VALUES (NEW.organization_id, 0) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER event_heads_notification_cursor AFTER INSERT ON event_heads
  FOR EACH ROW EXECUTE FUNCTION add_notification_cursor();
-- As for all tables of organizations: the planner must not take the organization for as good as a key.
ALTER TABLE notifications ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE notification_cursors ALTER COLUMN organization_id SET (n_distinct = 1);
