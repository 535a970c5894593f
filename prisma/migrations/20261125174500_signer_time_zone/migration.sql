ALTER TABLE "signature_recipients" ADD COLUMN "time_zone" TEXT COLLATE "C";
