import type { Parameter } from '../../lib/openapi.ts';

const PATH_PARAMETERS: Record<string, readonly [meaning: string, sample: string]> = {
  organizationId: ['The id of the organization.', 'org_01k94aw425639a3vvfgp21h2xa'],
  projectId: ['The id of the project.', 'prj_01k9j9rybn968abrjdzgdz9cx9'],
  documentId: ['The DocumentID of the document.', 'doc_01k9nztfxdmdms8g8s6whatht9'],
  documentFolderId: ['The id of the folder.', 'fld_01k9ngyng6e35dp6bfkwbxta3q'],
  fieldId: ['The id of the field of the project.', 'fie_01k93wsc89ed30b967wnpk5afg'],
  taskId: ['The id of the task.', 'tsk_01k9vpvr0qq4e5k8ssvcw4xt7t'],
  formTemplateId: ['The id of the form.', 'frm_01k9cz4h7daxkhmmsv33vqebrs'],
  formTemplateFieldId: ['The id of the field of the form.', 'ffd_01k99xnv12gdbbfd81yavj5zg2'],
  documentSignatureFormId: ['The id of the signature form.', 'sgf_01k9wc2v0zem6n1zdm9kyarsnh'],
  documentSignatureFormFieldId: [
    'The id of the field of the signature form.',
    'sfd_01k9g1vsvkwk5r5vxe0s6jcdg5',
  ],
  documentSignatureSessionId: ['The id of the signing session.', 'sgs_01k9sp21yz7bz0k51tz0bkp48b'],
  documentSignatureSessionRecipientId: ['The id of the signer.', 'sgr_01k9aybyaedcf4tswx4w2854h3'],
  singleUserPreferenceId: ['The name of the preference.', 'ViewType'],
  signatureFormTemplateId: ['The id of the signature form template.', 'sft_01k9rnq281sxq06rb0sxfyfg32'],
};

/** Throws for a parameter without a description. */
export function pathParameter(name: string): Parameter {
  const [meaning, sample] = PATH_PARAMETERS[name] ?? [];
  if (!meaning) throw new Error(`The contract has no path parameter ${name}.`);
  return {
    name,
    in: 'path',
    required: true,
    description: meaning,
    schema: { type: 'string' },
    example: sample,
  };
}
