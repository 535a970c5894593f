-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "home_page_url" TEXT COLLATE "C",
ADD COLUMN     "logo_hash" TEXT COLLATE "C",
ADD COLUMN     "privacy_url" TEXT COLLATE "C",
ADD COLUMN     "verified_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "client_logos" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "image" BYTEA NOT NULL,

    CONSTRAINT "client_logos_pkey" PRIMARY KEY ("client_id")
);

-- AddForeignKey
ALTER TABLE "client_logos" ADD CONSTRAINT "client_logos_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

ALTER TABLE clients ADD CONSTRAINT clients_home_page_url CHECK (home_page_url LIKE 'https://%' AND length(home_page_url) <= 300);
ALTER TABLE clients ADD CONSTRAINT clients_privacy_url CHECK (privacy_url LIKE 'https://%' AND length(privacy_url) <= 300);
ALTER TABLE clients ADD CONSTRAINT clients_logo_hash CHECK (logo_hash ~ '^[0-9a-f]{64}$');
ALTER TABLE client_logos ADD CONSTRAINT client_logos_image CHECK (octet_length(image) BETWEEN 1 AND 65536);
