import * as z from 'zod'

/** `GET /operator/access`: the sources of operator rights in the settings of the oracle. */
export const operatorAccess = z.object({
  /** `delegated`: the oracle or a controller grants abilities. `open`: any signer has them, without those of the operator. */
  access: z.enum(['delegated', 'open']),
  /** Whether `ORACLE_OPERATOR_TOKEN` is set. */
  operatorToken: z.boolean(),
  /** The DIDs of `ORACLE_CONTROLLERS`. */
  controllers: z.array(z.string()),
  /** The keys of `ORACLE_API_KEYS`, without their secrets. */
  apiKeys: z.array(z.object({ name: z.string(), did: z.string().optional(), scopes: z.array(z.string()) })),
})

export type OperatorAccess = z.infer<typeof operatorAccess>
