import { z } from 'zod'
import { timesPrice } from '../text/times-price.ts'
import { askProvider, jsonOf, messageId, sendByRequest, shortText, withSlash } from './send-to-provider.ts'
import type { CallBody, DeliveryReport, SendOutcome, SmsProvider } from './sms-provider.ts'

/** An account at Infobip. */
export interface InfobipSettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly from: string
}

const number = z.string().regex(/^\s*\+?[0-9]{1,20}\s*$/)

const statusSchema = z.object({ groupName: shortText, name: shortText.optional() })

const answerSchema = z.object({
  messages: z
    .array(z.object({ messageId: shortText.optional(), status: statusSchema }))
    .min(1)
    .max(100),
})

const reportSchema = z.object({
  messageId,
  to: number.optional().catch(undefined),
  status: statusSchema,
  price: z
    .object({
      pricePerMessage: z.number().min(0).max(1_000_000).nullish().catch(undefined),
      currency: z
        .string()
        .regex(/^[A-Za-z]{1,5}$/)
        .nullish()
        .catch(undefined),
    })
    .nullish(),
  messageCount: z.number().int().min(0).max(1_000).nullish(),
})

const reportsSchema = z.object({ results: z.array(reportSchema).max(2_000) })

const inboundSchema = z.object({
  results: z
    .array(
      z.object({
        messageId,
        from: z.string().min(1).max(50),
        text: z.string().max(5_000).nullish(),
        cleanText: z.string().max(5_000).nullish(),
      }),
    )
    .max(2_000),
})

/**
 * Infobip: `POST /sms/3/messages` with the key as `Authorization: App …`. Each message has our own id, which its
 * reports and its log (`GET /sms/3/logs`) use, so a message whose response was lost can be queried.
 */
export const infobip = ({ baseUrl, apiKey, from }: InfobipSettings): SmsProvider => {
  const headers = { authorization: `App ${apiKey}`, accept: 'application/json' }
  const at = (path: string) => new URL(path, withSlash(baseUrl))
  return {
    name: 'infobip',
    takesOurId: true,
    send: ({ id, to, text }) =>
      sendByRequest(
        {
          url: at('sms/3/messages').href,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            messages: [{ sender: from, destinations: [{ to: to.slice(1), messageId: id }], content: { text } }],
          }),
        },
        { readSuccess: answer => readAnswer(jsonOf(answer)) },
      ),
    async lookup(id) {
      const url = at('sms/3/logs')
      url.searchParams.set('messageId', id)
      const answer = await askProvider({ url: url.href, method: 'GET', headers })
      if (answer.status !== 200) throw new Error(`the log of the provider answered ${answer.status}`)
      const parsed = reportsSchema.safeParse(jsonOf(answer))
      const found = parsed.data?.results.find(({ messageId }) => messageId === id)
      return found && reportOf(found)
    },
    readInbound(body) {
      const parsed = inboundSchema.safeParse(jsonIn(body))
      return parsed.data?.results.map(({ messageId, from: sender, text, cleanText }) => ({
        providerId: messageId,
        from: sender,
        text: text ?? cleanText ?? '',
      }))
    },
    readReports: body => reportsSchema.safeParse(jsonIn(body)).data?.results.map(reportOf),
  }
}

const jsonIn = (body: CallBody): unknown => ('json' in body ? body.json : undefined)

const readAnswer = (json: unknown): SendOutcome | undefined => {
  const parsed = answerSchema.safeParse(json)
  if (!parsed.success) return undefined
  const { groupName, name } = parsed.data.messages[0]!.status
  // A known id belongs to an earlier request, which was accepted.
  if (name === 'REJECTED_DUPLICATE_MESSAGE_ID') return { kind: 'sent' }
  if (groupName === 'PENDING' || groupName === 'DELIVERED' || groupName === 'OK') return { kind: 'sent' }
  return { kind: 'failed', reason: wordOf(name ?? groupName) }
}

const wordOf = (name: string): string => /^[A-Z][A-Z_]{0,60}$/.exec(name)?.[0] ?? 'no reason given'

const groups: Readonly<Record<string, DeliveryReport['status']>> = {
  PENDING: 'sent',
  OK: 'sent',
  DELIVERED: 'delivered',
  UNDELIVERABLE: 'failed',
  EXPIRED: 'failed',
  REJECTED: 'failed',
}

const reportOf = ({ messageId, to, status, price, messageCount }: z.output<typeof reportSchema>): DeliveryReport => {
  const { groupName, name } = status
  // Reached the operator, not yet the phone.
  const isOnItsWay = name === 'DELIVERED_TO_OPERATOR'
  const state = isOnItsWay ? 'sent' : (groups[groupName] ?? 'sent')
  const { pricePerMessage, currency } = price ?? {}
  return {
    providerId: messageId,
    status: state,
    ...(to === undefined ? {} : { phone: to.trim().replace(/^\+?/, '+') }),
    ...(state === 'failed' ? { reason: wordOf(name ?? groupName) } : {}),
    ...(typeof pricePerMessage === 'number' && currency
      ? { cost: `${currency} ${timesPrice(pricePerMessage.toFixed(8), messageCount ?? 1, 4)}` }
      : {}),
  }
}
