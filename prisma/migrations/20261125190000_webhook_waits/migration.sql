ALTER TABLE "webhooks" ADD COLUMN "waits_until" TIMESTAMPTZ(3);
