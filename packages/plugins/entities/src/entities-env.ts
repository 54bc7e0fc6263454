import { z } from 'zod'

const perMinute = z.coerce.number().int().min(0).max(1_000_000)

export const entitiesEnv = z.object({
  ENTITIES_API_KEYS: z.string().max(100_000).optional().meta({
    description:
      'API keys for entities: `name:key[:scopes[:did]]`, separated by commas; scopes are `read` and `write`, joined by `+`.',
    example: 'field:the-output-of-openssl-rand-hex-24',
    defaultText: 'no keys; UCANs only',
    secret: true,
  }),
  ENTITIES_STRANGER_MB: z.coerce.number().int().min(1).max(1_000_000).default(50).meta({
    description:
      'Maximum megabytes that one caller without an authorization may store in entities and their histories, with `ORACLE_ACCESS=open`.',
    example: '50',
  }),
  ENTITIES_STRANGERS_MB: z.coerce.number().int().min(0).max(1_000_000_000).default(5_000).meta({
    description:
      'The same for all such callers together, of which an address has the share `LIMIT_SHARE_PERCENT`; 0 means no limit.',
    example: '5000',
  }),
  ENTITIES_WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether webhooks may be sent to loopback and private networks: `on` or `off`. Set `on` only if every caller who may register a webhook is trusted.',
  }),
  ENTITIES_HISTORY_PER_MINUTE: perMinute.default(120).meta({
    description:
      'Requests per minute of one address for histories and proofs of entities, counted separately from others; 0 means no limit.',
  }),
  DID_RESOLUTION_PER_MINUTE: perMinute.default(300).meta({
    description:
      'Requests per minute of one address for `GET /1.0/identifiers/{did}`, counted separately from others; 0 means no limit.',
  }),
  RETENTION_ENTITY_REPLIES_DAYS: z.coerce.number().int().min(1).max(36_500).default(1).meta({
    description:
      'Days for which the creation of an entity may be repeated under its `Idempotency-Key`, by devices without a network.',
  }),
  ENTITIES_EXPLORER: z.enum(['on', 'off']).optional().meta({
    description: 'Whether GET /explorer serves a page that shows entities and claims to users with an API key.',
    example: 'on',
    defaultText: 'on in development, otherwise off',
  }),
  DOMAIN_INDEXER_URL: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine(url => !URL.canParse(url) || new URL(url).username === '', 'must not contain a user name or password')
    .optional()
    .meta({
      description:
        'A GraphQL endpoint that is searched in addition to this oracle: an index of entities of many oracles. Its results are marked with its host.',
      example: 'https://indexer.example/graphql',
      defaultText: 'entities of this oracle only',
    }),
})
