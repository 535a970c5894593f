import { readsLikeProduct } from '../../lib/text/lookalike.ts';

/** A warning beside the names of an application and its organization, for names that predate the rule against such ones. */
export const LookalikeWarning = ({ names }: { names: readonly string[] }) =>
  names.some(readsLikeProduct) && (
    <div class="note alarm">
      <p>This application is not part of Docgraph, although its name suggests it.</p>
    </div>
  );
