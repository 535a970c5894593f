import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  findPasskey,
  type PasskeyAnswer,
  type PasskeyRow,
  passkeysOf,
  type StoredPasskey,
  userHandleOf,
} from '../domain/accounts/passkey.ts';
import {
  type ChallengePurpose,
  type ChallengeUse,
  isLiveChallenge,
  newChallenge,
} from '../domain/accounts/passkey-challenge.ts';

export interface PasskeyService {
  db: Database;
  publicUrl: string;
}

/** Loaded when it is first needed: it takes as long to load as much else together. */
const library = () => import('@simplewebauthn/server');

/** Passkeys belong to the host of PUBLIC_URL, and work nowhere else. */
export const relyingPartyIdOf = (publicUrl: string): string => new URL(publicUrl).hostname;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'));

const descriptor = ({ credentialId, transports }: Pick<PasskeyRow, 'credentialId' | 'transports'>) => ({
  id: base64url(credentialId),
  transports,
});

/** Options for `navigator.credentials.create`. Authenticators that have a passkey of the account are excluded. */
export async function creationOptions(
  { db, publicUrl }: PasskeyService,
  { userId, email, name, signInId }: { userId: string; email: string; name: string; signInId: string },
) {
  const { generateRegistrationOptions } = await library();
  const { handle, challenge, passkeys } = await inTransaction(db, async (tx) => ({
    handle: await userHandleOf(tx, userId),
    challenge: await newChallenge(tx, { purpose: 'ADD', boundTo: signInId }),
    passkeys: await passkeysOf(tx, userId),
  }));
  return generateRegistrationOptions({
    rpName: 'Docgraph',
    rpID: relyingPartyIdOf(publicUrl),
    userID: handle,
    userName: email,
    userDisplayName: name,
    challenge,
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** A credential that an authenticator has created, and the challenge that it answers. */
export interface CreatedCredential {
  challenge: string;
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  relyingPartyId: string;
}

const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Verifies the answer of `navigator.credentials.create` (WebAuthn §7.1). Undefined if it is not valid. */
export async function verifyCreated(
  { db, publicUrl }: PasskeyService,
  text: string,
  signInId: string,
): Promise<CreatedCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  const response = parsed<RegistrationResponseJSON>(text);
  const challenge = challengeOf(response);
  if (
    !response ||
    !challenge ||
    !(await isLiveChallenge(db, challenge, { purpose: 'ADD', boundTo: signInId }))
  )
    return undefined;
  const relyingPartyId = relyingPartyIdOf(publicUrl);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: new URL(publicUrl).origin,
    expectedRPID: relyingPartyId,
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { id, publicKey, counter } = result.registrationInfo.credential;
  const transports = (response.response.transports ?? []).filter((each) => TRANSPORTS.has(each));
  return { challenge, credentialId: bytesOf(id), publicKey, counter, transports, relyingPartyId };
}

/** Options for `navigator.credentials.get`. Without a user, the browser offers every passkey that it has for this site. */
export async function requestOptions({ db, publicUrl }: PasskeyService, use: ChallengeUse, userId?: string) {
  const { generateAuthenticationOptions } = await library();
  const { challenge, passkeys } = await inTransaction(db, async (tx) => ({
    challenge: await newChallenge(tx, use),
    passkeys: userId === undefined ? undefined : await passkeysOf(tx, userId),
  }));
  return generateAuthenticationOptions({
    rpID: relyingPartyIdOf(publicUrl),
    challenge,
    allowCredentials: passkeys?.map(descriptor),
    userVerification: verificationFor(use.purpose),
  });
}

/** Alone, a passkey has to verify the person too, by a PIN or biometrics: it counts as two factors then. */
const verificationFor = (purpose: ChallengePurpose) => (purpose === 'SIGN_IN' ? 'required' : 'preferred');

/** Verifies the answer of `navigator.credentials.get` (WebAuthn §7.2). Undefined if it is not valid. */
export async function verifyAnswer(
  { db, publicUrl }: PasskeyService,
  text: string,
  use: ChallengeUse,
): Promise<PasskeyAnswer | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const response = parsed<AuthenticationResponseJSON>(text);
  const challenge = challengeOf(response);
  if (!response || !challenge || !(await isLiveChallenge(db, challenge, use))) return undefined;
  const passkey = await findPasskey(db, bytesOf(response.id));
  if (!passkey || !namesUser(response, passkey, use)) return undefined;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: new URL(publicUrl).origin,
    expectedRPID: relyingPartyIdOf(publicUrl),
    credential: {
      id: response.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    requireUserVerification: verificationFor(use.purpose) === 'required',
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { id: passkeyId, userId } = passkey;
  return { passkeyId, userId, challenge, counter: result.authenticationInfo.newCounter };
}

/** Who signs in without saying who they are is named by the passkey; the name has to be right (WebAuthn §7.2, step 6). */
const namesUser = (
  { response: { userHandle } }: AuthenticationResponseJSON,
  { handle }: StoredPasskey,
  { purpose }: ChallengeUse,
): boolean => (userHandle ? Buffer.from(handle).equals(bytesOf(userHandle)) : purpose !== 'SIGN_IN');

/** The answer of a browser in JSON (WebAuthn Level 3, §5.1), as far as is used here; undefined for any other text. */
function parsed<Answer extends RegistrationResponseJSON | AuthenticationResponseJSON>(
  text: string,
): Answer | undefined {
  try {
    const answer = JSON.parse(text);
    const isAnswer = typeof answer?.id === 'string' && typeof answer.response?.clientDataJSON === 'string';
    return isAnswer ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** The challenge that an answer names; the library compares it with the signed one. */
function challengeOf(answer: { response: { clientDataJSON: string } } | undefined): string | undefined {
  try {
    const { challenge } = JSON.parse(
      Buffer.from(answer?.response.clientDataJSON ?? '', 'base64url').toString(),
    );
    return typeof challenge === 'string' && challenge.length <= 100 ? challenge : undefined;
  } catch {
    return undefined;
  }
}
