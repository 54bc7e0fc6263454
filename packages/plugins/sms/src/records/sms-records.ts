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
