-- CreateIndex
CREATE INDEX "events_organization_id_client_id_sequence_idx" ON "events"("organization_id", "client_id", "sequence");

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
