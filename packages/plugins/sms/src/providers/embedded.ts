import { z } from 'zod'
import type { SmsProvider } from './sms-provider.ts'

/** What plays a phone: `POST /sms/inbound/embedded`. */
export const embeddedInbound = z.strictObject({
  from: z.string().min(1).max(50).meta({ description: 'The phone that writes, in E.164', example: '+260971234567' }),
  text: z.string().min(1).max(1_600).meta({ description: 'What it writes', example: 'What is the weather in Lusaka?' }),
  id: z.string().min(1).max(200).meta({ description: 'Two of one id are one message', example: 'message-1' }),
})

/** No provider: the outbox in the database is where messages arrive. */
export const embedded: SmsProvider = {
  name: 'embedded',
  takesOurId: false,
  send: async () => ({ kind: 'sent' }),
  readInbound(body) {
    const parsed = embeddedInbound.safeParse('json' in body ? body.json : undefined)
    return parsed.success ? [{ providerId: parsed.data.id, from: parsed.data.from, text: parsed.data.text }] : undefined
  },
  readReports: () => undefined,
}
