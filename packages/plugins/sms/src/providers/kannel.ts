import { phoneTextLength } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { messageId, sendByRequest, withSlash } from './send-to-provider.ts'
import type { CallBody, DeliveryReport, IncomingSms, SendOutcome, SmsProvider } from './sms-provider.ts'

/** A `sendsms-user` of Kannel's smsbox. */
export interface KannelSettings {
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly from: string | undefined
  /** URL at which Kannel reaches this oracle for delivery reports; undefined: none are requested. */
  readonly callbackUrl: string | undefined
  /** Secret of its calls. */
  readonly secret: string
}

/** Requests every report: delivered 1, failed 2, queued 4, accepted 8, rejected 16 (Kannel user's guide, `dlr-mask`). */
const everyReport = 31

/**
 * Kannel 1.4: `GET /cgi-bin/sendsms`, and with it every carrier that speaks SMPP. Reports arrive at a URL with our id,
 * so a message whose response was lost is settled by its report. Kannel does not reject a repeated id.
 */
export const kannel = (settings: KannelSettings): SmsProvider => ({
  name: 'kannel',
  takesOurId: true,
  send: ({ id, to, text }) => {
    const url = new URL('cgi-bin/sendsms', withSlash(settings.baseUrl))
    const query: Record<string, string | undefined> = {
      username: settings.username,
      password: settings.password,
      from: settings.from,
      to,
      text,
      charset: 'UTF-8',
      coding: phoneTextLength(text).encoding === 'gsm7' ? '0' : '2',
      ...reportsTo(settings, id),
    }
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    return sendByRequest(
      { url: url.href, method: 'GET', headers: { accept: 'text/plain' } },
      {
        readSuccess: answer => readAccepted(textOf(answer)),
        // smsbox answers 503 if bearerbox has no capacity or connection for the message: it was not accepted.
        readError: ({ status }) =>
          status === 503 ? { kind: 'refused', reason: 'Kannel has no connection for it' } : undefined,
      },
    )
  },
  readInbound(call) {
    const { data } = inboundSchema.safeParse(fieldsOf(call))
    return data && [inboundOf(data)]
  },
  readReports(call) {
    const { data } = reportSchema.safeParse(fieldsOf(call))
    return data && [reportOf(data)]
  },
})

const reportsTo = ({ callbackUrl, secret }: KannelSettings, id: string): Record<string, string> => {
  if (callbackUrl === undefined) return {}
  const url = new URL('sms/reports/kannel', withSlash(callbackUrl))
  url.search = new URLSearchParams({ secret, id }).toString()
  // The percent signs are Kannel's own placeholders.
  return { 'dlr-mask': String(everyReport), 'dlr-url': `${url.href}&status=%d&reason=%A` }
}

const textOf = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString('latin1').slice(0, 200)

/** `0: Accepted for delivery`, `3: Queued for later delivery`. */
const readAccepted = (text: string): SendOutcome | undefined => (/^[03]\b/.test(text) ? { kind: 'sent' } : undefined)

const maxTextBytes = 20_000

const bytes = z.instanceof(Buffer)
const text = (schema: z.ZodType<string, string>) => bytes.transform(field => field.toString('utf8')).pipe(schema)

const inboundSchema = z.object({
  id: text(messageId),
  from: text(z.string().trim().min(1).max(50)),
  text: bytes.refine(({ length }) => length <= maxTextBytes),
  charset: text(z.string().max(40)).optional(),
})

const reportSchema = z.object({
  id: text(messageId),
  status: text(z.string().regex(/^\d{1,3}$/)),
  reason: text(z.string().max(500)).optional().catch(undefined),
})

/** Returns the fields of a query as bytes; UCS-2 text arrives as UTF-16 if `mo-recode` is off. */
const fieldsOf = (call: CallBody): Record<string, Buffer> | undefined => {
  if (!('query' in call)) return undefined
  const fields = call.query.split('&').map((pair): [string, Buffer] => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return [name, percentDecoded(value)]
  })
  return Object.fromEntries(fields)
}

const percentDecoded = (value: string): Buffer =>
  Buffer.from(
    value
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  )

const inboundOf = ({ id, from, text: bytes, charset }: z.output<typeof inboundSchema>): IncomingSms => ({
  providerId: id,
  from,
  text: decodedText(bytes, charset),
})

/** Decodes bytes by Kannel's charset; an unknown one is read as UTF-8. */
const decodedText = (bytes: Buffer, charset = 'UTF-8'): string => {
  const label = /^(ucs-?2|utf-?16)(be)?$/i.test(charset) ? 'utf-16be' : charset
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

const statuses: Readonly<Record<string, DeliveryReport['status']>> = {
  1: 'delivered',
  2: 'failed',
  4: 'sent',
  8: 'sent',
  16: 'failed',
}

const reportOf = ({ id, status, reason }: z.output<typeof reportSchema>): DeliveryReport => {
  const state = statuses[status] ?? 'sent'
  return { providerId: id, status: state, ...(state === 'failed' ? { reason: reasonOf(status, reason) } : {}) }
}

/**
 * Returns the reason for the operator; of the carrier's text only known forms are included: `NACK/5/Unknown
 * subscriber`, `stat:UNDELIV err:005`.
 */
const reasonOf = (status: string, reason = ''): string => {
  const content = /\bstat:([A-Z]{1,10})(?:.*?\berr:([0-9A-F]{1,4}))?/i.exec(reason) ?? /^NACK\/(.{0,80})/.exec(reason)
  const words = content?.slice(1).filter(Boolean).join(' ') ?? ''
  const shown = /^[\w .,:'/-]{1,80}$/.test(words) ? `: ${words}` : ''
  return `${status === '16' ? 'the carrier rejected it' : 'the carrier could not deliver it'}${shown}`
}
