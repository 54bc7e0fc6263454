import { hash, timingSafeEqual } from 'node:crypto'
import { type Route, type RouteOptions, route } from '@sibyl/plugin'
import { z } from 'zod'
import { smsErrors } from '../definitions/sms-errors.ts'
import { type InboundDependencies, takeInbound } from '../inbox/take-inbound.ts'
import { takeReports } from '../outbox/delivery-reports.ts'
import { embedded, embeddedInbound } from '../providers/make-provider.ts'
import type { CallBody, SmsProvider } from '../providers/sms-provider.ts'

export interface CallbackRoutesDependencies extends InboundDependencies {
  readonly provider: SmsProvider
  readonly proof: CallbackProof
}

/** Maximum number of requests per minute from one address without the secret. */
const strangersPerMinute = 60

/** Maximum size of a body: 2,000 reports of Infobip. */
const maxBytes = 900_000

const field = (description: string) => z.string().max(20_000).optional().meta({ description })

/** Providers, with the media type of their POST bodies, or the fields of their GET queries. */
const gateways = {
  africastalking: { title: "Africa's Talking", mediaType: 'application/x-www-form-urlencoded' },
  infobip: { title: 'Infobip', mediaType: 'application/json' },
  kannel: {
    title: 'Kannel',
    fields: {
      inbound: {
        id: field("Kannel's id of the message: `%I`"),
        from: field('Number of the sender: `%p`'),
        text: field('The text: `%a`'),
        charset: field('The encoding of the text: `%C`'),
      },
      reports: {
        id: field('The id of the message in `GET /sms/outbox`'),
        status: field('1 delivered, 2 failed, 4 queued, 8 accepted, 16 rejected: `%d`'),
        reason: field("The carrier's reason: `%A`"),
      },
    },
  },
} as const

type Gateway = keyof typeof gateways

/**
 * Creates the routes for calls of providers, and the one by which the operator simulates a phone without a provider.
 */
export const callbackRoutes = (parts: CallbackRoutesDependencies): Route[] => [
  ...(Object.keys(gateways) as Gateway[]).flatMap(name => [
    callbackRoute(name, 'inbound', parts),
    callbackRoute(name, 'reports', parts),
  ]),
  ...(parts.provider.name === 'embedded' ? [playedPhone(parts)] : []),
]

const what = {
  inbound: 'Receive incoming messages',
  reports: 'Receive delivery reports',
} as const

const callbackRoute = (name: Gateway, kind: 'inbound' | 'reports', parts: CallbackRoutesDependencies): Route => {
  const gateway = gateways[name]
  const { provider, proof } = parts
  const secret = z.string().max(1_000).optional().meta({ description: '`SMS_INBOUND_SECRET`' })
  const [method, input] =
    'fields' in gateway
      ? [route.get, { query: z.object({ secret, ...gateway.fields[kind] }) }]
      : [route.post, { query: z.object({ secret }), body: bodyOfType(gateway.mediaType) }]
  const isProven = (context: RouteContext) => provider.name === name && proof(context)
  return method(
    `/sms/${kind}/${name}`,
    {
      auth: 'own',
      summary: `${what[kind]}, from ${gateway.title}`,
      description:
        'Only for the provider: the secret `SMS_INBOUND_SECRET` is in the query (`?secret=`), in the header ' +
        '`x-sms-secret`, or is the password of HTTP Basic.',
      ...input,
      ok: { 200: { description: 'Stored; repeated messages are included' } },
      errors: [
        smsErrors.sms_call_invalid,
        { code: 'json_invalid', status: 400 },
        { code: 'sms_call_refused', status: 401 },
      ],
      ...gate(isProven),
    },
    async c => {
      const body = await bodyOf(c, gateway)
      if (kind === 'inbound') {
        const messages = provider.readInbound(body)
        if (!messages) throw smsErrors.sms_call_invalid()
        await takeInbound(provider.name, messages, parts)
      } else {
        const reports = provider.readReports(body)
        if (!reports) throw smsErrors.sms_call_invalid()
        await takeReports(reports, parts)
      }
      return c.body(null, 200)
    },
  )
}

/** Rejects calls without the secret before their body is read. */
const gate = (isProven: (context: RouteContext) => boolean): RouteOptions => ({
  rateLimit: context => (isProven(context) ? false : { name: 'sms-strangers', perMinute: strangersPerMinute }),
  admit: context => (isProven(context) ? undefined : { status: 401, code: 'sms_call_refused' }),
  maxBodyBytes: maxBytes,
})

const bodyOfType = (mediaType: string) => ({
  required: true,
  content: { [mediaType]: { schema: { type: 'object' as const } } },
})

const bodyOf = async (context: RouteContext, gateway: (typeof gateways)[Gateway]): Promise<CallBody> => {
  if ('fields' in gateway) return { query: context.req.url.split('?')[1] ?? '' }
  if (gateway.mediaType === 'application/json') return { json: context.get('parsedBody') }
  const form = new URLSearchParams(await context.req.text())
  for (const value of form.values())
    if (value.includes('\0') || !value.isWellFormed()) throw smsErrors.sms_call_invalid()
  return { form }
}

const playedPhone = (parts: CallbackRoutesDependencies): Route =>
  route.post(
    '/sms/inbound/embedded',
    {
      auth: 'operator',
      summary: 'Simulate an incoming message without a provider',
      body: embeddedInbound,
      ok: { 200: { description: 'Stored; the answer appears in the outbox', schema: z.object({ taken: z.int() }) } },
      errors: [{ code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const messages = embedded.readInbound({ json: c.req.valid('json') })
      if (!messages) throw smsErrors.sms_call_invalid()
      return c.json({ taken: await takeInbound('embedded', messages, parts) }, 200)
    },
  )

/** Request context of a route's handler. */
export type RouteContext = Parameters<Route['handle']>[0]

/** Returns whether a request has the secret that the operator entered at the provider. */
export type CallbackProof = (context: RouteContext) => boolean

const longest = 1_000

/**
 * Creates the authentication of providers' calls. The secret may be in the query (`?secret=`), in the header
 * `x-sms-secret`, or the password of HTTP Basic (RFC 7617), for all providers, because their consoles differ. It is
 * compared in constant time.
 */
export const callbackProof =
  (secret: string | undefined): CallbackProof =>
  ({ req }) => {
    if (secret === undefined) return false
    const given = [req.query('secret'), req.header('x-sms-secret'), passwordIn(req.header('authorization'))]
    return given.some(one => one !== undefined && isSame(one, secret))
  }

const passwordIn = (authorization: string | undefined): string | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/=]{1,1000}) *$/i.exec(authorization ?? '')?.[1]
  const pair = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  return pair ? pair.slice(pair.indexOf(':') + 1) : undefined
}

const isSame = (given: string, secret: string): boolean =>
  given.length <= longest && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
