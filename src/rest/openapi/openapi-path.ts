import type { Parameter } from '../../lib/openapi.ts';

const NAMED: Record<string, readonly [means: string, sample: string]> = {
  organizationId: ['The organization.', 'org_01k9czhv7gqyd0yj0yk8wz1hm6'],
  projectId: ['The project.', 'prj_01k9czhv7gqyd0yj0yk8wz1hm6'],
  documentId: ['The document: its DocumentID.', 'doc_01k9nztfxdmdms8g8s6whatht9'],
  documentFolderId: ['The folder.', 'fld_01k9czhv7gqyd0yj0yk8wz1hm6'],
  fieldId: ['The field of the project.', 'fie_01k9czhv7gqyd0yj0yk8wz1hm6'],
  taskId: ['The task.', 'tsk_01k9czhv7gqyd0yj0yk8wz1hm6'],
  formTemplateId: ['The form.', 'frm_01k9czhv7gqyd0yj0yk8wz1hm6'],
  formTemplateFieldId: ['The field of the form.', 'ffd_01k9czhv7gqyd0yj0yk8wz1hm6'],
  documentSignatureFormId: ['The signature form.', 'sgf_01k9czhv7gqyd0yj0yk8wz1hm6'],
  documentSignatureFormFieldId: ['The field of the signature form.', 'sfd_01k9czhv7gqyd0yj0yk8wz1hm6'],
  documentSignatureSessionId: ['The signing session.', 'sgs_01k9czhv7gqyd0yj0yk8wz1hm6'],
  documentSignatureSessionRecipientId: ['The signer.', 'sgr_01k9czhv7gqyd0yj0yk8wz1hm6'],
  signatureFormTemplateId: ['The signature form template.', 'sft_01k9czhv7gqyd0yj0yk8wz1hm6'],
};

/** Throws for a parameter without a description. */
export function pathParameter(name: string): Parameter {
  const [means, sample] = NAMED[name] ?? [];
  if (!means) throw new Error(`The contract has no path parameter ${name}.`);
  return {
    name,
    in: 'path',
    required: true,
    description: means,
    schema: { type: 'string' },
    example: sample,
  };
}
