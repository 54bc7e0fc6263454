import { z } from 'zod'
import { jsonOf, messageId, sendByRequest, shortText, withSlash } from './send-to-provider.ts'
import type { CallBody, DeliveryReport, SendOutcome, SmsProvider } from './sms-provider.ts'

/** An account at Africa's Talking. */
export interface AfricasTalkingSettings {
  readonly baseUrl: string
  readonly username: string
  readonly apiKey: string
  readonly from: string | undefined
}

const answerSchema = z.object({
  SMSMessageData: z.object({
    Message: shortText.optional(),
    Recipients: z
      .array(
        z.object({
          statusCode: z.coerce.number().int(),
          status: shortText.optional(),
          messageId: messageId.optional().catch(undefined),
          cost: z
            .string()
            .regex(/^[\w .]{1,40}$/)
            .optional()
            .catch(undefined),
        }),
      )
      .max(100),
  }),
})

/** The codes of a message that was taken: processed, sent, queued. */
const taken = new Set([100, 101, 102])

/** What its codes mean, as far as it says. */
const codes: Readonly<Record<number, string>> = {
  401: 'held for its risk',
  402: 'the sender id is not valid',
  403: 'the number is not valid',
  404: 'numbers of that kind are not supported',
  405: 'the account has not enough credit',
  406: 'the phone is on a list of those that want nothing',
  407: 'there is no way to that network',
  409: 'the phone is on a list of those not to be disturbed',
  500: 'the provider failed',
  501: 'the gateway failed',
  502: 'the gateway rejected it',
}

/**
 * Africa's Talking: `POST /version1/messaging` as a form, with the key in the header `apiKey`. It takes no id of ours and
 * cannot be asked what became of a message: what is lost is told by its delivery reports alone.
 */
export const africasTalking = ({ baseUrl, username, apiKey, from }: AfricasTalkingSettings): SmsProvider => ({
  name: 'africastalking',
  takesOurId: false,
  send: ({ to, text }) =>
    sendByRequest(
      {
        url: new URL('version1/messaging', withSlash(baseUrl)).href,
        headers: { apiKey, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ username, to, message: text, ...(from === undefined ? {} : { from }) }).toString(),
      },
      { readSuccess: answer => readAnswer(jsonOf(answer)) },
    ),
  readInbound(body) {
    const { data } = inboundSchema.safeParse(fieldsOf(body))
    return data && [{ providerId: data.id, from: data.from, text: data.text }]
  },
  readReports(body) {
    const { data } = reportSchema.safeParse(fieldsOf(body))
    return data && [reportOf(data)]
  },
})

const readAnswer = (json: unknown): SendOutcome | undefined => {
  const parsed = answerSchema.safeParse(json)
  if (!parsed.success) return undefined
  const { Recipients: recipients, Message: message } = parsed.data.SMSMessageData
  const [recipient] = recipients
  // Without a recipient nobody was sent anything, and `Message` says why: `InvalidSenderId`, `InsufficientBalance`.
  if (!recipient) return { kind: 'failed', reason: `the provider sent it to nobody: ${wordOf(message)}` }
  const { statusCode, status, messageId: providerId, cost } = recipient
  if (!taken.has(statusCode)) return { kind: 'failed', reason: codes[statusCode] ?? wordOf(status) }
  return {
    kind: 'sent',
    ...(providerId === undefined || providerId === 'None' ? {} : { providerId }),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** A word of the provider's, as far as it can be nothing but one. */
const wordOf = (text: string | undefined): string =>
  /^[A-Za-z][\w .,:'-]{0,80}/.exec(text ?? '')?.[0] ?? 'it says no reason'

const fieldsOf = (body: CallBody): Record<string, string> | undefined =>
  'form' in body ? Object.fromEntries(body.form) : undefined

const inboundSchema = z.object({
  id: messageId,
  from: z.string().min(1).max(50),
  text: z.string().max(5_000),
})

const reportSchema = z.object({
  id: messageId,
  status: z.string().min(1).max(50),
  phoneNumber: z.string().max(50).optional(),
  failureReason: z.string().max(200).optional(),
})

const statuses: Readonly<Record<string, DeliveryReport['status']>> = {
  sent: 'sent',
  submitted: 'sent',
  buffered: 'sent',
  success: 'delivered',
  delivered: 'delivered',
  rejected: 'failed',
  failed: 'failed',
  absentsubscriber: 'failed',
  expired: 'failed',
}

const reportOf = ({ id, status, phoneNumber, failureReason }: z.output<typeof reportSchema>): DeliveryReport => ({
  providerId: id,
  status: statuses[status.toLowerCase()] ?? 'sent',
  ...(phoneNumber === undefined ? {} : { phone: phoneNumber.trim().replace(/^\+?/, '+') }),
  ...(failureReason === undefined || failureReason === '' ? {} : { reason: wordOf(failureReason) }),
})
