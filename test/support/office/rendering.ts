import type { Database } from '../../../src/db/database.ts';
import type { OfficeConverter } from '../../../src/files/office/converter.ts';
import { renderNext } from '../../../src/jobs/rendition.ts';
import { jobContext } from '../jobs.ts';

/** Makes all PDFs that are due, as the server would in the background. */
export async function renderAll(converter: OfficeConverter, on?: Database): Promise<void> {
  const ctx = { ...(await jobContext(on)), office: converter };
  while (await renderNext(ctx));
}

/** As if the time had come for all next attempts. */
export const retriesAreDue = (db: Database): Promise<unknown> =>
  db.prisma.rendition.updateMany({
    where: { state: 'PENDING' },
    data: { nextAt: new Date(Date.now() - 1_000) },
  });

/** Leaves nothing to make of what other tests of this worker left. */
export const dropRenditions = (db: Database): Promise<unknown> =>
  db.prisma.rendition.deleteMany({ where: { state: 'PENDING' } });
