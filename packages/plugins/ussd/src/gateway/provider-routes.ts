import { defineRoute, type Route, type RouteRefusal } from '@sibyl/plugin'
import { problemSchema } from '@sibyl/protocol'
import { z } from 'zod'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type {
  ProviderMessage,
  ProviderRoute,
  UssdProvider,
  WireReply,
  WireRequest,
} from '../providers/ussd-provider.ts'
import type { RequestFields } from '../requests/request-fields.ts'
import { isValidMessage } from './check-message.ts'
import { faultReply } from './fault-reply.ts'
import type { Gateway } from './gateway.ts'

import { refusePlainly } from './plain-route.ts'
import { readWire, wireWithoutBody } from './provider-wire.ts'
import type { RouteContext } from './trust.ts'

/** What the routes of providers are made from. */
export interface ProviderRoutesParts {
  readonly gateway: Gateway
  readonly fields: RequestFields
}

/** What a refusal needs to know of the request it answers. */
interface Understood {
  readonly wire: WireRequest
  readonly message?: ProviderMessage
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

const answered = {
  description: "The reply in the provider's form; also where the input is not valid, or the database away",
  content: { 'application/json': { schema: z.unknown() }, 'text/plain': { schema: z.string() } },
}

const answers = {
  200: answered,
  414: { description: '`url_too_long`', content: { 'application/problem+json': { schema: problemSchema } } },
  default: { ...answered, description: "A refusal in the provider's form; 429 comes with `Retry-After`" },
}

/** The routes below `/api/ussd/<provider>`. */
export const providerRoutes = (provider: UssdProvider, parts: ProviderRoutesParts): Route[] =>
  provider.routes.map(route => providerRoute(provider, route, parts))

const providerRoute = (
  provider: UssdProvider,
  { method, path, takes, summary }: ProviderRoute,
  { gateway, fields }: ProviderRoutesParts,
): Route => {
  const { name, limits, textMode, duplicates } = provider
  const window = typeof duplicates === 'object' ? { duplicateWindowMs: duplicates.windowMs } : {}
  const same = { provider: name, limits, textMode, ...window }
  const prefix = `/api/ussd/${name}`
  const understood = new WeakMap<RouteContext, Understood>()
  const body = takes === 'query' ? {} : { body: bodyOf(mediaTypes[takes]) }
  return defineRoute(
    'public',
    {
      method,
      path: prefix + path,
      summary,
      description: `For the gateway of ${provider.title}, in the form that it documents.`,
      request: body,
      responses: answers,
    },
    async c => {
      const wire = await readWire(c, prefix, takes)
      const message = wire && provider.read(wire)
      if (wire) understood.set(c, { wire, ...(message ? { message } : {}) })
      if (!message || !isValidMessage(message, fields)) throw ussdErrors.ussd_request_invalid()
      const { echo: _echo, ...said } = message
      const reply = await gateway.serve(c, { ...said, ...same })
      return send(c, reply ? provider.write(reply, wire, message) : provider.acknowledge(wire, message)) as never
    },
    {
      rateLimit: gateway.rateLimit,
      admit: gateway.admit,
      refuse: (c, refusal) => {
        const { wire, message } = understood.get(c as RouteContext) ?? { wire: wireWithoutBody(c, prefix) }
        return refuseAs(provider, c, refusal, wire, message)
      },
    },
  )
}

/** Any object: the adapter reads it. */
const bodyOf = (mediaType: string) => ({
  required: true,
  content: { [mediaType]: { schema: { type: 'object' as const } } },
})

const send = (context: RouteContext, { status, contentType, body }: WireReply): Response =>
  context.body(body, status as 200, { 'content-type': `${contentType}; charset=utf-8` })

/** Words a refusal in the provider's form; plainly where its adapter fails at it. */
const refuseAs = (
  provider: UssdProvider,
  context: RouteContext,
  refusal: RouteRefusal,
  wire: WireRequest,
  message: ProviderMessage | undefined,
): Response => {
  const { fault, text } = faultReply(refusal)
  try {
    return send(context, provider.fault(fault, text, wire, message))
  } catch {
    return refusePlainly(context, refusal)
  }
}
