/**
 * What an event of a kind has: `changed` the same members before and after; `created` the new values after, and before those
 * that they replaced, if any; `deleted` before what was deleted; `noted` no value that was replaced.
 */
export type EventFact = 'changed' | 'created' | 'deleted' | 'noted';

const KINDS_OF: Record<EventFact, string[]> = {
  changed: [
    ...['application.approved', 'application.refused', 'application.undecided'],
    ...['approval.approved', 'approval.declined', 'approval.delegated', 'approval.denied'],
    'approval.withdrawn',
    ...['client.updated', 'field.choices_changed', 'field.updated', 'folder.moved', 'folder.updated'],
    ...['document.held', 'document.moved', 'document.recycled', 'document.released', 'document.restored'],
    ...['document.revised', 'document.updated', 'document.signatureFieldUpdated'],
    ...['document.signatureFormUpdated', 'document.signatureSessionUpdated'],
    'document.signatureTemplateApplied',
    ...['form.fields_reordered', 'form.fields_updated', 'form.shared', 'form.unshared', 'form.updated'],
    ...['group.updated', 'member.updated', 'organization.updated', 'process.updated'],
    ...['project.settingsUpdated', 'project.updated', 'projectMember.updated', 'searchTemplate.updated'],
    'project.groupChanged',
    ...['signatureTemplate.updated', 'task.assigned', 'task.completed', 'task.denied', 'task.reopened'],
    ...['retentionPolicy.updated', 'retentionPolicy.locked'],
    ...['task.updated', 'webhook.disabled', 'webhook.suspended', 'webhook.updated'],
  ],
  created: [
    ...['bulkOperation.started', 'bulkOperation.ended', 'organization.statesRecorded'],
    ...[
      'organization.exportStarted',
      'organization.exportFailed',
      'organization.exported',
      'organization.imported',
    ],
    ...['client.created', 'client.verified', 'document.created', 'document.sealed', 'document.timeStamped'],
    'document.validationDataAdded',
    ...['document.signatureFieldsAdded', 'field.created', 'folder.created', 'form.created'],
    ...['form.fields_created', 'form.submitted', 'group.created', 'group.membersAdded'],
    ...[
      'invitation.created',
      'member.added',
      'member.substituteSet',
      'organization.created',
      'process.created',
      'project.created',
      'project.groupAdded',
    ],
    ...['project.restored', 'projectInvitation.created', 'projectMember.added', 'searchTemplate.created'],
    'serviceAccount.created',
    ...['retentionPolicy.created', 'retentionPolicy.assigned'],
    ...['signatureTemplate.created', 'signatureTemplate.fieldsAdded', 'task.created', 'webhook.created'],
  ],
  deleted: [
    ...['client.deleted', 'client.verificationRevoked', 'document.purged'],
    ...['document.signatureFieldsDeleted', 'field.deleted', 'folder.deleted', 'form.deleted'],
    ...['form.fields_deleted', 'group.deleted', 'group.membersRemoved', 'invitation.declined'],
    ...[
      'invitation.withdrawn',
      'member.removed',
      'member.substituteEnded',
      'project.deleted',
      'project.groupRemoved',
      'project.purged',
    ],
    ...['projectInvitation.removed', 'projectMember.removed', 'searchTemplate.deleted'],
    'serviceAccount.deleted',
    'organization.exportDeleted',
    ...['retentionPolicy.deleted', 'retentionPolicy.unassigned'],
    ...['signatureTemplate.deleted', 'webhook.deleted'],
  ],
  noted: [
    ...['application.requested', 'application.revoked', 'client.authorizations_ended'],
    ...['client.secret_rotated', 'webhook.secret_rotated', 'event.redacted', 'invitation.resent'],
    ...['mail.retried', 'approval.overdue', 'approval.escalated', 'task.overdue', 'task.reminded'],
    ...['document.commented', 'task.commented', 'document.textRetried', 'document.renditionRetried'],
    ...['document.processStarted', 'task.processStarted', 'document.processEnded', 'task.processEnded'],
    ...['document.sealingFailed', 'document.sealingRetried', 'document.validationFailed'],
    'documents.disposed',
    ...['form.filingFailed', 'form.filingRetried'],
    ...['project.copied', 'project.copyFailed', 'document.signatureFormCreated'],
    ...['document.signatureSessionCreated', 'document.signingBegan', 'document.signingCompleted'],
    ...['document.signingReset', 'document.signingStopped', 'document.signed', 'document.signatureDeclined'],
    ...['document.signatureCodeAccepted', 'document.signatureCodeLocked', 'document.signatureCodeRefused'],
    ...['document.signatureLinksRenewed', 'document.signersReminded'],
    // The documents, beside before and after: who sees a task may not see them.
    ...['task.documentsLinked', 'task.documentsUnlinked'],
  ],
};

/** Every kind of event. */
export const EVENTS = new Map(
  Object.entries(KINDS_OF).flatMap(([fact, kinds]) => kinds.map((kind) => [kind, fact as EventFact])),
);

/** Changes that no mutation of the owner makes: the server does, or nobody is asked first. */
export const CHANGED_ELSEWHERE = ['webhook.disabled', 'webhook.suspended'];
