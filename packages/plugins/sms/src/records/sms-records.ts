import * as z from 'zod'

/** A message to or from a phone. */
export const threadMessage = z.object({
  id: z.string(),
  direction: z.enum(['to', 'from']).meta({ description: '`to` the phone, or `from` it' }),
  text: z.string().optional().meta({ description: 'Missing if it is a secret, and once the person is erased' }),
  state: z.string(),
  purpose: z.string().optional().meta({ description: 'Of a message to the phone' }),
  parts: z.int().optional(),
  encoding: z.enum(['gsm7', 'ucs2']).optional(),
  reason: z.string().optional(),
  advice: z.string().optional(),
  at: z.iso.datetime(),
})

export type ThreadMessage = z.infer<typeof threadMessage>

/** A phone that a user linked. */
export const linkedPhone = z.object({
  id: z.string(),
  phone: z.string().meta({ description: 'The number, masked', example: '+26097•••4567' }),
  linkedAt: z.iso.datetime(),
})

export type LinkedPhoneRecord = z.infer<typeof linkedPhone>

/** States of an outgoing SMS. */
const messageState = z.enum([
  'waiting',
  'held',
  'sending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'refused',
  'erased',
])

/** An outgoing SMS as the operator sees it. */
export const outboxMessage = z.object({
  id: z.string(),
  to: z.string().meta({ description: 'The number, masked', example: '+26097•••4567' }),
  purpose: z.enum(['person', 'notice', 'service', 'answer', 'word', 'apology', 'code']),
  text: z.string().optional().meta({ description: 'Missing if it is a secret' }),
  parts: z.int(),
  encoding: z.enum(['gsm7', 'ucs2']),
  state: messageState,
  reason: z.string().optional(),
  advice: z.string().optional().meta({ description: 'Advice for the operator, if the state needs action' }),
  attempts: z.int(),
  cost: z.string().optional().meta({ description: 'Cost as reported by the provider', example: 'KES 0.8000' }),
  heldUntil: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().optional(),
  settledAt: z.iso.datetime().optional(),
})

export type OutboxMessage = z.infer<typeof outboxMessage>
