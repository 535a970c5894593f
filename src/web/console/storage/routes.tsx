import { ConsoleStorageDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { sizeText } from '../documents/kind-text.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { numberText } from '../ui/numbers.ts';
import { Facts } from '../ui/parts.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';

const STORAGE = storedOperation(ConsoleStorageDocument);

/** `storage` of an organization, for its owners and admins: how much is stored. */
export function storagePages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/storage`, showStorage);
}

async function showStorage(visit: Visit): Promise<Response> {
  const organization = managed((await visit.run(STORAGE, { id: visit.param('organization') })).organization);
  const use = organization.storageUse;
  const children = use && (
    <section class="card" aria-label="Storage">
      <Facts
        facts={[
          ['Documents', numberText(use.documents)],
          ['In recycle bins', `${numberText(use.recycled)}, which take space until they are purged`],
          ['Revisions', numberText(use.revisions)],
          ['Files', `${numberText(use.files)}: equal ones are stored once`],
          ['Size of the files', sizeText(use.bytes)],
          ['Pages', numberText(use.pages)],
        ]}
      />
    </section>
  );
  return consolePage({ visit, title: 'Storage', organization, children });
}
