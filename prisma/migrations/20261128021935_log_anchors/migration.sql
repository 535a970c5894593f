-- CreateTable
CREATE TABLE "log_stamps" (
    "digest" BYTEA NOT NULL,
    "size" INTEGER NOT NULL,
    "token" BYTEA NOT NULL,
    "authority" TEXT COLLATE "C" NOT NULL,
    "stamped_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_stamps_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "log_anchors" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "digest" BYTEA NOT NULL,
    "size" BIGINT NOT NULL,
    "root" BYTEA NOT NULL,
    "salt" BYTEA NOT NULL,
    "position" INTEGER NOT NULL,
    "path" BYTEA NOT NULL,
    "event_sequence" BIGINT,

    CONSTRAINT "log_anchors_pkey" PRIMARY KEY ("organization_id","size")
);

-- CreateTable
CREATE TABLE "log_tiles" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "log_tiles_pkey" PRIMARY KEY ("organization_id","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "log_anchors_id_key" ON "log_anchors"("id");

-- CreateIndex
CREATE INDEX "log_anchors_digest_idx" ON "log_anchors"("digest");

-- AddForeignKey
ALTER TABLE "log_anchors" ADD CONSTRAINT "log_anchors_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "log_anchors" ADD CONSTRAINT "log_anchors_digest_fkey" FOREIGN KEY ("digest") REFERENCES "log_stamps"("digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "log_tiles" ADD CONSTRAINT "log_tiles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

CREATE INDEX log_anchors_unannounced ON log_anchors (organization_id, id) WHERE event_sequence IS NULL;

-- Due at once.
INSERT INTO recurring_work (work, begun_at) VALUES ('anchor', 'epoch');

ALTER TABLE log_anchors ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE log_tiles ALTER COLUMN organization_id SET (n_distinct = 1);
