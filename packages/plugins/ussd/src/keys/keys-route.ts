import { type Route, route } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { type OperatorLock, operatorErrors, operatorOnly } from '../operators/operator-lock.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { keyUsage } from './key-usage.ts'

const keysRecord = z.object({
  keys: z
    .array(
      z.object({
        id: z
          .string()
          .meta({ description: "A public fingerprint; the log's lines name the same", example: '5f0c9a31' }),
        state: z.enum(['current', 'old', 'missing']).meta({
          description: '`current` seals, `old` opens what it sealed, `missing` is needed by rows and not there',
        }),
        rows: z
          .record(z.string(), z.number().int())
          .meta({ description: 'How many rows need it, by table', example: { ussd_customers: 1200 } }),
      }),
    )
    .meta({
      description: 'The key of now first. An old key without rows can be taken out of `PIN_ENCRYPTION_OLD_KEYS`',
    }),
})

/** Returns `GET /api/ussd/keys`, for the operator. */
export const keysRoute = (storage: UssdStorage, vault: Vault, lock: OperatorLock): Route =>
  route.get(
    '/api/ussd/keys',
    {
      auth: 'own',
      summary: 'Which keys the rows of the database need',
      description: `Says when an old key is needed no more. ${operatorOnly}`,
      ok: { 200: { description: 'The keys by their ids', schema: keysRecord } },
      errors: operatorErrors,
      ...lock,
    },
    async c => c.json({ keys: await keyUsage(storage, vault) }),
  )
