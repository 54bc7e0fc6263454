import { z } from 'zod'

/** The keys of `oracle.config.json` and of `createOracleApp({ config })`. The environment overrides them. */
export const oracleConfigSchema = z.strictObject({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
  name: z.string().optional().describe('The name of the oracle. ORACLE_NAME overrides it.'),
  description: z.string().optional().describe('One sentence about the oracle. ORACLE_DESCRIPTION overrides it.'),
  model: z.string().optional().describe('The language model, or offline. LLM_MODEL overrides it.'),
  prompt: z.string().optional().describe('Instructions for the language model. ORACLE_PROMPT overrides it.'),
  entityDid: z.string().optional().describe('The DID of the registered oracle. ORACLE_ENTITY_DID overrides it.'),
  network: z.string().optional().describe('devnet, testnet or mainnet. NETWORK overrides it.'),
  price: z
    .string()
    .max(100)
    .regex(/^\s*free\s*$|\d/i, 'must be free, or an amount such as 0.10 IXO a question')
    .optional()
    .describe('The price of a conversation, as shown in the registry.'),
})

export type OracleConfig = z.infer<typeof oracleConfigSchema>

/** The variable of each key of the config. */
export const configVariables = {
  name: 'ORACLE_NAME',
  description: 'ORACLE_DESCRIPTION',
  model: 'LLM_MODEL',
  prompt: 'ORACLE_PROMPT',
  entityDid: 'ORACLE_ENTITY_DID',
  network: 'NETWORK',
} as const satisfies Partial<Record<keyof OracleConfig, string>>
