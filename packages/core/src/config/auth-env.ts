import { z } from 'zod'

/** The variables for callers without UCANs. */
export const authEnv = {
  ORACLE_API_KEYS: z.string().max(50_000).optional().meta({
    description: 'API keys for clients that cannot sign, separated by commas: name:key[:scopes[:did]].',
    example: 'shop:<output of openssl rand -hex 32>:chat/*+session/read',
    secret: true,
  }),
  ORACLE_USER_FORWARDERS: z
    .string()
    .max(5_000)
    .default('')
    .transform(text => text.split(',').map(name => name.trim()))
    .meta({
      description: 'Names in ORACLE_API_KEYS whose header X-OpenWebUI-User-Id names a user, separated by commas.',
      example: 'open-webui',
    }),
} as const
