import {
  ConsoleNewWebhookPreviewDocument,
  type ConsoleNewWebhookPreviewQuery,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import type { Visit } from '../ui/visit.ts';
import { type EnteredWebhook, settingsOf } from './entered.ts';

const PREVIEW = storedOperation(ConsoleNewWebhookPreviewDocument);

type Preview = NonNullable<NonNullable<ConsoleNewWebhookPreviewQuery['organization']>['webhookPreview']>;

/** What was typed, tried on the newest event; undefined for whoever does not manage the organization. */
export interface Trial extends Preview {
  entered: EnteredWebhook;
}

export async function runTrial(visit: Visit, entered: EnteredWebhook): Promise<Trial | undefined> {
  const { kinds, projectId, query } = settingsOf(entered);
  const { organization } = await visit.run(PREVIEW, {
    ...{ id: visit.param('organization'), kinds, projectId, query },
  });
  const preview = organization?.webhookPreview;
  return preview ? { ...preview, entered } : undefined;
}
