import type { SmsEnv } from '../sms-env.ts'
import { africasTalking } from './africas-talking.ts'
import { embedded } from './embedded.ts'
import { infobip } from './infobip.ts'
import type { SmsProvider } from './sms-provider.ts'

/** Makes the provider that the variables name. They passed their schema, so that it has all that it needs. */
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
  return embedded
}
