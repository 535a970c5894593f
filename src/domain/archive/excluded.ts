/** Tables with rows of organizations that no archive has, and why. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  bulk_operation_lines: 'Inputs and results of work that runs with a credential of this server.',
  bulk_operations: 'Work that runs with a credential of this server, and expires.',
  clients: 'Applications authenticate with secrets of this server; they are registered again.',
  document_counts: 'Kept by triggers.',
  failed_work: 'The state of background work of this server.',
  mails: 'The queue of this server.',
  notification_cursors: 'How far background work is; an import begins behind the last event.',
  organization_applications: 'Decisions about applications that are registered here.',
  organization_exports: 'Archives that this server holds.',
  project_copies: 'Work that runs with a credential of this server.',
  project_copy_items: 'The state of that work.',
  recognized_pages: 'Read from the files again.',
  search_entries: 'Kept by triggers.',
  search_texts: 'Read from the files again.',
  search_vocabulary: 'Kept by triggers.',
  text_usage: 'How much text recognition this server did.',
  uploads: 'Reservations of URLs of this server.',
  webhook_attempts: 'Of webhooks.',
  webhook_deliveries: 'The queue of this server.',
  webhook_receivers: 'How receivers answered this server.',
  webhooks: 'They act with a credential, and sign with a secret, of this server.',
};

const text = 'The state of reading the file, which begins again.';
const link = 'A secret of this server; the import writes another one.';
const key = 'Kept by a trigger.';
const client = 'An application of this server.';
const attempt = 'Names a file that is being written.';

/** Columns of other tables that no archive has, and why. All of them may be left out of an INSERT, or the import fills them. */
export const EXCLUDED_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approvals: { item_name_key: key },
  blobs: {
    text_attempts: text,
    text_claims: text,
    text_error: text,
    text_leased: text,
    text_next_at: text,
    text_recognized: text,
    text_status: text,
    text_step: text,
    text_turns: text,
  },
  folders: { link_sealed: link },
  form_submissions: { filing_upload_id: attempt, token_hash: 'A secret of who sent it.' },
  form_templates: {
    link_hash: link,
    link_sealed: link,
  },
  invitations: { client_id: client },
  memberships: { name_key: key },
  project_invitations: { client_id: client },
  project_members: { name_key: key },
  renditions: { attempt_blob_id: attempt },
  signature_sessions: {
    access_code: 'A secret of its signers; it is set again.',
    sealing_blob_id: attempt,
  },
  tasks: { next_reminder_at: key },
};

/** What an archive has of the people to whom rows refer: no credential, and nothing that they set for themselves. */
export const USER_COLUMNS: readonly string[] = ['id', 'email', 'name', 'erased_at'];
