/** The status and the error code of an answer of the token endpoint. */
export const outcome = ({ status, body }: { status: number; body: { error?: string } }) => [
  status,
  body.error,
];

export const GRANTED = [200, undefined];
export const REFUSED = [400, 'invalid_grant'];
