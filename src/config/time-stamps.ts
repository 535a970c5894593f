import { resolve } from 'node:path';
import { z } from 'zod';

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The settings of time-stamping authorities. Without TSA_URL nothing is stamped. */
export const timeStampVariables = z
  .object({
    TSA_URL: z
      .string()
      .transform((text) => text.split(',').map((each) => each.trim()))
      .refine((urls) => urls.every(isHttp), {
        error: 'must be a URL such as http://tsa.example.com, or several separated by commas',
      })
      .optional(),
    TSA_TRUST: z.string().min(1).optional(),
  })
  .superRefine((env, context) => {
    if (env.TSA_TRUST && !env.TSA_URL)
      context.addIssue({ code: 'custom', path: ['TSA_URL'], message: 'must be set with TSA_TRUST' });
  });

/** Undefined without an authority. `trust`: a file of PEM certificates, as an absolute path. */
export const timeStampSettings = ({ TSA_URL: urls, TSA_TRUST: trust }: z.output<typeof timeStampVariables>) =>
  urls && { urls, trust: trust && resolve(trust) };
