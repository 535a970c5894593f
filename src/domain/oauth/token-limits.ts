import type { KeyLimits } from '../keys/token-key.ts';

/** Lifetimes in milliseconds. */
export interface TokenLimits extends KeyLimits {
  /** Of a refresh token, since it was issued. */
  refreshIdle: number;
  /** Of a token family, since the user approved it. */
  refreshAbsolute: number;
  /** How long a used refresh token returns the same pair again; 0: never. */
  refreshGrace: number;
}
