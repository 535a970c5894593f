import { isOffice } from '../../../domain/documents/rendition-request.ts';
import { ButtonForm } from '../ui/fields.tsx';
import type { ConsoleDocument } from './console-document.ts';

interface RenditionProps {
  path: string;
  formToken: string;
  document: ConsoleDocument;
  mayRetry: boolean;
}

/** Says why an office file has no pages, and makes them; nothing for files that have them, or whose pages are due. */
export const RenditionView = ({ path, formToken, document, mayRetry }: RenditionProps) => {
  const reason = reasonOf(document);
  return reason ? (
    <div class="note alarm">
      <p>{reason}</p>
      {mayRetry && <ButtonForm action={`${path}/rendition`} formToken={formToken} text="Make the pages" />}
    </div>
  ) : null;
};

function reasonOf({ contentType, currentRevision: { rendition } }: ConsoleDocument): string | undefined {
  if (!isOffice(contentType)) return undefined;
  if (!rendition)
    return 'Its pages were not made: the server converted no office files when it was uploaded.';
  return rendition.state === 'FAILED' ? `Its pages could not be made. ${rendition.error ?? ''}` : undefined;
}
