import { hash, timingSafeEqual } from 'node:crypto'
import { type Route, type RouteOptions, route } from '@sibyl/plugin'
import { z } from 'zod'
import { smsErrors } from '../definitions/sms-errors.ts'
import { type InboundParts, takeInbound } from '../inbox/take-inbound.ts'
import { takeReports } from '../outbox/delivery-reports.ts'
import { embedded, embeddedInbound } from '../providers/make-provider.ts'
import type { CallBody, SmsProvider } from '../providers/sms-provider.ts'

/** What the routes of providers rest on. */
export interface CallbackRoutesParts extends InboundParts {
  readonly provider: SmsProvider
  readonly proof: CallbackProof
}

/** How many requests a minute an address may send that do not have the secret. */
const strangersPerMinute = 60

/** The largest body: 2,000 reports of Infobip. */
const mostBytes = 900_000

const field = (description: string) => z.string().max(20_000).optional().meta({ description })

/** The providers, with the media type of what they post, or the fields of the query that they call with GET. */
const gateways = {
  africastalking: { title: "Africa's Talking", mediaType: 'application/x-www-form-urlencoded' },
  infobip: { title: 'Infobip', mediaType: 'application/json' },
  kannel: {
    title: 'Kannel',
    fields: {
      inbound: {
        id: field("Kannel's id of the message: `%I`"),
        from: field('The phone that writes: `%p`'),
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

/** The routes that providers call, and the one by which the operator plays a phone where there is no provider. */
export const callbackRoutes = (parts: CallbackRoutesParts): Route[] => [
  ...(Object.keys(gateways) as Gateway[]).flatMap(name => [
    callbackRoute(name, 'inbound', parts),
    callbackRoute(name, 'reports', parts),
  ]),
  ...(parts.provider.name === 'embedded' ? [playedPhone(parts)] : []),
]

const what = {
  inbound: 'Messages that came in',
  reports: 'Delivery reports',
} as const

const callbackRoute = (name: Gateway, kind: 'inbound' | 'reports', parts: CallbackRoutesParts): Route => {
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
        'For the provider alone: the secret `SMS_INBOUND_SECRET` stands in the query (`?secret=`), in the header ' +
        '`x-sms-secret`, or is the password of HTTP Basic.',
      ...input,
      ok: { 200: { description: 'Stored; also what was sent before' } },
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

/** Lets in what carries the secret, before its body is read. */
const gate = (isProven: (context: RouteContext) => boolean): RouteOptions => ({
  rateLimit: context => (isProven(context) ? false : { name: 'sms-strangers', perMinute: strangersPerMinute }),
  admit: context => (isProven(context) ? undefined : { status: 401, code: 'sms_call_refused' }),
  maxBodyBytes: mostBytes,
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

const playedPhone = (parts: CallbackRoutesParts): Route =>
  route.post(
    '/sms/inbound/embedded',
    {
      auth: 'operator',
      summary: 'Play a phone that writes, where there is no provider',
      body: embeddedInbound,
      ok: { 200: { description: 'Stored; the answer comes into the outbox', schema: z.object({ taken: z.int() }) } },
      errors: [{ code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const messages = embedded.readInbound({ json: c.req.valid('json') })
      if (!messages) throw smsErrors.sms_call_invalid()
      return c.json({ taken: await takeInbound('embedded', messages, parts) }, 200)
    },
  )

/** What a route's code gets of a request. */
export type RouteContext = Parameters<Route['handle']>[0]

/** Says whether a request comes from a provider: it carries the secret that the operator entered there. */
export type CallbackProof = (context: RouteContext) => boolean

const longest = 1_000

/**
 * Makes the test for calls of providers. They may carry the secret in the query (`?secret=`), in the header `x-sms-secret`,
 * or as the password of HTTP Basic (RFC 7617): the same for all, since consoles differ in what can be entered. Compared in
 * a time that tells nothing about it.
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
