import { z } from 'zod'

/** The variables for callers without UCANs. */
export const authEnv = {
  ORACLE_API_KEYS: z.string().max(50_000).optional().meta({
    description: 'API keys for clients that cannot sign, separated by commas: name:key[:scopes[:did]].',
    example: 'shop:<output of openssl rand -hex 32>:chat/*+session/read',
    secret: true,
  }),
} as const
