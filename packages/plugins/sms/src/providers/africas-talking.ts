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

/** Codes of accepted messages: processed, sent, queued. */
const taken = new Set([100, 101, 102])

/** Meanings of its documented codes. */
const codes: Readonly<Record<number, string>> = {
  401: 'held because of its risk',
  402: 'the sender id is invalid',
  403: 'the number is invalid',
  404: 'numbers of that kind are unsupported',
  405: 'the account does not have enough credit',
  406: 'the phone is on an opt-out list',
  407: 'there is no route to that network',
  409: 'the phone is on a do-not-disturb list',
  500: 'the provider failed',
  501: 'the gateway failed',
  502: 'the gateway rejected it',
}

/**
 * Africa's Talking: `POST /version1/messaging` as a form, with the key in the header `apiKey`. It does not accept our
 * ids and cannot be queried about a message, so only delivery reports settle a message whose response was lost.
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
  // Without a recipient nothing was sent, and `Message` has the reason: `InvalidSenderId`, `InsufficientBalance`.
  if (!recipient) return { kind: 'failed', reason: `the provider did not send it: ${wordOf(message)}` }
  const { statusCode, status, messageId: providerId, cost } = recipient
  if (!taken.has(statusCode)) return { kind: 'failed', reason: codes[statusCode] ?? wordOf(status) }
  return {
    kind: 'sent',
    ...(providerId === undefined || providerId === 'None' ? {} : { providerId }),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** Returns the reason of the provider if its form is safe. */
const wordOf = (text: string | undefined): string =>
  /^[A-Za-z][\w .,:'-]{0,80}/.exec(text ?? '')?.[0] ?? 'no reason given'

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
