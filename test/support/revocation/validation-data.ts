import type { ValidationData } from '../../../src/pdf/seal/validation-update.js';
import type { TestRevocation } from './authority.ts';

/** Validation data of a seal and its time-stamp, as the authorities of the test publish it. */
export const validationData = ({ certificateOf, ocspOf, crlOf }: TestRevocation): ValidationData => ({
  certificates: (['signer', 'issuing', 'root', 'tsa'] as const).map((name) => certificateOf(name).der),
  ocsp: [ocspOf('signer'), ocspOf('tsa')],
  crls: [crlOf('root')],
});
