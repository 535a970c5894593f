import { builder } from '../kernel/builder.ts';

export const SignatureSessionState = builder.enumType('SignatureSessionState', {
  description: 'The state of a signing session.',
  values: {
    DRAFT: { description: 'Being prepared.' },
    ACTIVE: { description: 'Signatures are requested, one rank after the other.' },
    COMPLETED: { description: 'Everyone has signed.' },
    STOPPED: { description: 'It ended before everyone had signed.' },
  } as const,
});

export const SignatureStopReason = builder.enumType('SignatureStopReason', {
  description: 'Why a signing session ended before everyone had signed.',
  values: {
    SENDER: { description: 'An editor of the project stopped it, or reset it.' },
    DECLINED: { description: 'A signer declined.' },
    EXPIRED: { description: 'Its time had passed before everyone had signed.' },
    WITHDRAWN: { description: 'The document was recycled, or its project deleted.' },
  } as const,
});

export const SignatureRecipientState = builder.enumType('SignatureRecipientState', {
  description: 'The state of a signer.',
  values: {
    WAITING: { description: 'It is not yet their turn.' },
    REQUESTED: { description: 'Their signature is requested.' },
    COMPLETED: { description: 'They signed.' },
    DECLINED: { description: 'They declined, which stopped the session.' },
  } as const,
});

export const SignatureDesign = builder.enumType('SignatureDesign', {
  description: 'How the fields of a form are created.',
  values: {
    CUSTOM: { description: 'Someone places them.' },
    QUICK: {
      description:
        'As the session begins, each signer gets a signature, and the fields that the session selects.',
    },
  } as const,
});

/** As the column has it. */
export const designOf = (type: string) => (type === 'Quick' ? 'QUICK' : 'CUSTOM');
