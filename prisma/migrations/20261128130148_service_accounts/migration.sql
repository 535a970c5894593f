-- AlterTable
ALTER TABLE "users" ADD COLUMN     "service_client_id" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "users_service_client_id_key" ON "users"("service_client_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_service_client_id_fkey" FOREIGN KEY ("service_client_id") REFERENCES "clients"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- Nobody signs in as a service account, and its address is none that mail can reach.
ALTER TABLE "users" ADD CONSTRAINT "users_service_account" CHECK ("service_client_id" IS NULL
  OR ("email" LIKE '%@service-account.invalid' AND "password_hash" IS NULL AND "email_verified_at" IS NULL));
