import { authSchemas } from '@sibyl/protocol'
import { z } from 'zod'

/** Schemas of the responses of operations. */
export const responses = {
  apiKeyList: authSchemas.apiKeyList,
  createdApiKey: authSchemas.createdApiKeyRecord,
  creditGrant: z.object({ id: z.string(), did: z.string(), amount: z.string(), reason: z.string(), at: z.string() }),
  creditDays: z.object({
    days: z.array(z.object({ day: z.string(), did: z.string(), turns: z.int(), credits: z.string() })),
    next: z.string().optional(),
  }),
  customerActions: z.object({
    actions: z.array(
      z.looseObject({
        id: z.string(),
        kind: z.string(),
        state: z.string(),
        operator: z.string(),
        confirmedBy: z.string().optional(),
        reason: z.string().optional(),
        phoneNumber: z.string().optional(),
        customerId: z.string().optional(),
        requestedAt: z.string(),
      }),
    ),
  }),
  encryptionKeys: z.object({
    keys: z.array(z.object({ id: z.string(), state: z.string(), rows: z.record(z.string(), z.int()) })),
  }),
  exportedRecords: z.record(z.string(), z.unknown()),
  foundPeople: z.object({ did: z.string().optional() }),
  grantList: authSchemas.grantList,
  hold: z.object({ reason: z.string(), heldAt: z.string() }),
  noContent: z.undefined(),
  signInCode: z.object({ code: z.string(), did: z.string(), scopes: z.array(z.string()), expiresAt: z.string() }),
  signInList: authSchemas.signInList,
  /** A change of a customer that waits for its confirmation. */
  waitingChange: z.object({
    id: z.uuid(),
    confirmation: z.string().regex(/^\w{1,40}$/),
    expiresAt: z.iso.datetime(),
    customers: z.int(),
  }),
  /** The response to the confirmation: a one-time PIN for a reset. */
  confirmedChange: z.union([
    z.object({ pin: z.string().regex(/^\d{4,8}$/), validUntil: z.iso.datetime() }),
    z.object({ done: z.literal(true) }),
  ]),
}
