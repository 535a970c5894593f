import type { Context as Call } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { type OpenedSigning, openSigning } from '../../domain/signing/signing-open.ts';
import { type SigningStatus, signingStatus } from '../../domain/signing/signing-status.ts';
import { contextOfLink, type PublicPageService } from '../public/public-pages.ts';
import { NOTICES } from './notices.ts';

/** The cookie that a correct access code sets. */
export const PASS = 'docgraph_signing';

/** A signer's link with the status of its signing. */
export interface OpenedLink {
  call: Call;
  ctx: Context;
  base: string;
  recipientId: string;
  sessionId: string;
  status: SigningStatus;
  pass: string | undefined;
}

export async function openLink(service: PublicPageService, call: Call): Promise<OpenedLink> {
  const { recipientId, secret } = call.req.param() as { recipientId: string; secret: string };
  const ctx = contextOfLink(service, call, secret);
  const { sessionId, status } = await signingStatus(ctx, recipientId);
  const pass = parse(call.req.header('cookie') ?? '', PASS)[PASS];
  return { call, ctx, base: `/sign/${recipientId}/${secret}`, recipientId, sessionId, status, pass };
}

/** Throws CONFLICT if the signing cannot be opened yet, or no longer. */
export const requireOpenSigning = ({
  ctx,
  sessionId,
  recipientId,
  pass,
  status,
}: OpenedLink): Promise<OpenedSigning> => {
  if (status !== 'READY' && status !== 'SIGNED') throw new DomainError('CONFLICT', NOTICES[status].text);
  return openSigning(ctx, { sessionId, recipientId, pass });
};
