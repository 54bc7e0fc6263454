import { z } from 'zod'

/** What `oracle.config.json` and `createOracleApp({ config })` may say. The environment goes before it. */
export const oracleConfigSchema = z.strictObject({
  /** For editors; ignored. */
  $schema: z.string().optional(),
  /** ORACLE_NAME */
  name: z.string().optional(),
  /** ORACLE_DESCRIPTION: one sentence. */
  description: z.string().optional(),
  /** LLM_MODEL; `offline` where none of a provider was chosen. */
  model: z.string().optional(),
  /** ORACLE_PROMPT */
  prompt: z.string().optional(),
  /** ORACLE_ENTITY_DID */
  entityDid: z.string().optional(),
  /** NETWORK */
  network: z.string().optional(),
  /** What a conversation costs, in words, as the registry shows it. */
  price: z.string().max(100).optional(),
})

export type OracleConfig = z.infer<typeof oracleConfigSchema>

/** Which variable each key of the config stands for. */
export const configVariables = {
  name: 'ORACLE_NAME',
  description: 'ORACLE_DESCRIPTION',
  model: 'LLM_MODEL',
  prompt: 'ORACLE_PROMPT',
  entityDid: 'ORACLE_ENTITY_DID',
  network: 'NETWORK',
} as const satisfies Partial<Record<keyof OracleConfig, string>>
