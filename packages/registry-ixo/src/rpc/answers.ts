import { z } from 'zod'

const base64 = z
  .string()
  .nullish()
  .transform(text => Buffer.from(text ?? '', 'base64'))

/** A number that JSON of Tendermint has as text. */
const count = z.union([z.string().regex(/^\d{1,15}$/), z.int().nonnegative()]).transform(Number)

/** `status` */
export const statusAnswer = z.object({
  node_info: z.object({ network: z.string().regex(/^[\w.-]{1,50}$/) }),
  sync_info: z.object({ catching_up: z.boolean() }),
})

/** `abci_query` */
export const queryAnswer = z.object({
  response: z.object({
    code: z.int().default(0),
    codespace: z.string().max(100).default(''),
    log: z.string().default(''),
    value: base64,
  }),
})

/** `broadcast_tx_sync` */
export const broadcastAnswer = z.object({
  code: z.int().default(0),
  codespace: z.string().max(100).default(''),
  log: z.string().default(''),
})

/** `tx`, and each of `tx_search` */
export const transactionAnswer = z.object({
  hash: z.string().regex(/^[0-9A-Fa-f]{64}$/),
  height: count,
  tx_result: z.object({
    code: z.int().default(0),
    codespace: z.string().max(100).default(''),
    log: z.string().default(''),
    data: base64,
  }),
})

/** `tx_search` */
export const searchAnswer = z.object({ txs: z.array(transactionAnswer).max(10) })
