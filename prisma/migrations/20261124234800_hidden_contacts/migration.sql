-- CreateTable
CREATE TABLE "hidden_contacts" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "contact_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "hidden_contacts_pkey" PRIMARY KEY ("user_id","contact_id")
);

-- CreateIndex
CREATE INDEX "hidden_contacts_contact_id_idx" ON "hidden_contacts"("contact_id");

-- AddForeignKey
ALTER TABLE "hidden_contacts" ADD CONSTRAINT "hidden_contacts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hidden_contacts" ADD CONSTRAINT "hidden_contacts_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.
