/** What was typed into the form of a webhook. */
export interface EnteredWebhook {
  url: string;
  /** One kind on each line, or separated by commas or blanks; empty for all. */
  kinds: string;
  projectId: string;
  /** Empty for the default of the graph. */
  query: string;
}

export const enteredWebhook = (form: URLSearchParams): EnteredWebhook => ({
  url: (form.get('url') ?? '').trim(),
  kinds: form.get('kinds') ?? '',
  projectId: form.get('projectId') ?? '',
  query: (form.get('query') ?? '').trim(),
});

/** The members that both createWebhooks and updateWebhook take. */
export const settingsOf = ({ url, kinds, projectId, query }: EnteredWebhook) => ({
  url,
  kinds: kinds.split(/[\s,]+/).filter((kind) => kind !== ''),
  projectId: projectId || null,
  ...(query ? { query } : {}),
});
