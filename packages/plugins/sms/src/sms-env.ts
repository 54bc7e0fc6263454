import { z } from 'zod'

/** The variables of the plugin. */
export const smsEnv = z.object({
  SMS_PROVIDER: z
    .enum(['africastalking', 'infobip', 'embedded:'])
    .optional()
    .meta({
      description:
        'Who carries SMS: `africastalking`, `infobip`, or `embedded:`, an outbox in the database that the operator reads. Blank switches the plugin off.',
      example: 'embedded:',
    }),
})

/** What they say. */
export type SmsEnv = z.output<typeof smsEnv>
