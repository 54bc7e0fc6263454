import { z } from 'zod'
import type { SmsEnv } from '../definitions/sms-env.ts'
import { africasTalking } from './africas-talking.ts'
import { infobip } from './infobip.ts'
import { kannel } from './kannel.ts'
import type { SmsProvider } from './sms-provider.ts'

/** Creates the provider of the environment. The variables were validated, so all required ones are set. */
export const makeProvider = (env: SmsEnv): SmsProvider => {
  const { SMS_FROM: from } = env
  if (env.SMS_PROVIDER === 'africastalking') {
    const { AFRICASTALKING_USERNAME: username = '', AFRICASTALKING_API_KEY: apiKey = '' } = env
    return africasTalking({ baseUrl: env.AFRICASTALKING_BASE_URL, username, apiKey, from })
  }
  if (env.SMS_PROVIDER === 'infobip') {
    const { INFOBIP_BASE_URL: baseUrl = '', INFOBIP_API_KEY: apiKey = '' } = env
    return infobip({ baseUrl, apiKey, from: from ?? '' })
  }
  if (env.SMS_PROVIDER === 'kannel') {
    const { KANNEL_USERNAME: username = '', KANNEL_PASSWORD: password = '', SMS_INBOUND_SECRET: secret = '' } = env
    return kannel({
      baseUrl: env.KANNEL_BASE_URL,
      callbackUrl: env.KANNEL_CALLBACK_URL,
      username,
      password,
      from,
      secret,
    })
  }
  return embedded
}

/** Body of `POST /sms/inbound/embedded`, which simulates a phone. */
export const embeddedInbound = z.strictObject({
  from: z.string().min(1).max(50).meta({ description: 'Number of the sender, in E.164', example: '+260971234567' }),
  text: z
    .string()
    .min(1)
    .max(1_600)
    .meta({ description: 'Text of the message', example: 'What is the weather in Lusaka?' }),
  id: z.string().min(1).max(200).meta({ description: 'Two messages with the same id are one', example: 'message-1' }),
})

/** The provider `embedded:`, whose outbox in the database replaces a carrier. */
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
