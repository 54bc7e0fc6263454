import { problem, type Route, type RouteRefusal, route } from '@sibyl/plugin'
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
import { type Gateway, maxBodyBytes, type RouteContext } from './gateway.ts'
import { errorReply, refusePlainly } from './plain-route.ts'

/** The parts of a rejected request that could be read. */
interface PartialRequest {
  readonly wire: WireRequest
  readonly message?: ProviderMessage
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

const okResponse = {
  description: "The reply in the provider's form; also where the input is not valid, or the database away",
  content: { 'application/json': { schema: z.unknown() }, 'text/plain': { schema: z.string() } },
}

const responses = {
  200: okResponse,
  414: problem('`url_too_long`'),
  default: { ...okResponse, description: "A refusal in the provider's form; 429 comes with `Retry-After`" },
}

export const providerRoutes = (provider: UssdProvider, gateway: Gateway, fields: RequestFields): Route[] =>
  provider.routes.map(each => providerRoute(provider, each, gateway, fields))

const providerRoute = (
  provider: UssdProvider,
  { method, path, takes, summary }: ProviderRoute,
  gateway: Gateway,
  fields: RequestFields,
): Route => {
  const { name, limits, textMode, duplicates } = provider
  const window = typeof duplicates === 'object' ? { duplicateWindowMs: duplicates.windowMs } : {}
  const same = { provider: name, limits, textMode, ...window }
  const prefix = `/api/ussd/${name}`
  const understood = new WeakMap<RouteContext, PartialRequest>()
  return route[method](
    prefix + path,
    {
      auth: 'public',
      summary,
      description: `For the gateway of ${provider.title}, in the form that it documents.`,
      ...(takes === 'query' ? {} : { body: bodyOf(mediaTypes[takes]) }),
      ok: responses,
      maxBodyBytes,
      rateLimit: gateway.rateLimit,
      admit: gateway.admit,
      refuse: (c, refusal) => {
        const { wire, message } = understood.get(c) ?? { wire: wireWithoutBody(c, prefix) }
        return refuseAs(provider, c, refusal, wire, message)
      },
    },
    async c => {
      const wire = await readWire(c, prefix, takes)
      const message = wire && provider.read(wire)
      if (wire) understood.set(c, { wire, ...(message ? { message } : {}) })
      if (!message || !isValidMessage(message, fields)) throw ussdErrors.ussd_request_invalid()
      const { echo: _echo, ...content } = message
      const reply = await gateway.serve(c, { ...content, ...same })
      return send(c, reply ? provider.write(reply, wire, message) : provider.acknowledge(wire, message))
    },
  )
}

/** Accepts any object: the adapter validates it. */
const bodyOf = (mediaType: string) => ({
  required: true,
  content: { [mediaType]: { schema: { type: 'object' as const } } },
})

const send = (context: RouteContext, { status, contentType, body }: WireReply): Response =>
  context.body(body, status as 200, { 'content-type': `${contentType}; charset=utf-8` })

/** Returns the response of a rejection in the provider's form, or in that of the specification if the adapter fails. */
const refuseAs = (
  provider: UssdProvider,
  context: RouteContext,
  refusal: RouteRefusal,
  wire: WireRequest,
  message: ProviderMessage | undefined,
): Response => {
  const { error, text } = errorReply(refusal)
  try {
    return send(context, provider.fault(error, text, wire, message))
  } catch {
    return refusePlainly(context, refusal)
  }
}

const events: ReadonlySet<unknown> = new Set(['dial', 'input', 'release', 'timeout'])

/** Placeholder of a missing code, so that one schema serves both. */
const anyCode = '*1#'

/**
 * Returns whether an adapter's message is valid for a session, by the rules of the plain form; its service code may be
 * empty.
 */
const isValidMessage = (message: ProviderMessage, fields: RequestFields): boolean => {
  const { event, text, sequence, serviceCode, dialled } = message
  if (!events.has(event) || (event === 'dial' && text !== '')) return false
  if (sequence !== undefined && !(Number.isSafeInteger(sequence) && sequence >= 0)) return false
  if (dialled !== undefined && !fields.shape.serviceCode.safeParse(dialled).success) return false
  return fields.safeParse(serviceCode === '' ? { ...message, serviceCode: anyCode } : message).success
}

const wireWithoutBody = (context: RouteContext, prefix: string): WireRequest => ({
  method: context.req.method,
  path: context.req.path.slice(prefix.length),
  params: context.req.param(),
  query: decodeParameters(queryOf(context.req.url)) ?? {},
  body: undefined,
})

/** Decodes a request with checked size, media type and JSON; undefined for repeated or too many parameters. */
const readWire = async (
  context: RouteContext,
  prefix: string,
  takes: ProviderRoute['takes'],
): Promise<WireRequest | undefined> => {
  if (decodeParameters(queryOf(context.req.url)) === undefined) return undefined
  const wire = wireWithoutBody(context, prefix)
  if (takes === 'query') return wire
  const text = await context.req.text()
  if (takes === 'json') return { ...wire, body: text === '' ? undefined : JSON.parse(text) }
  const form = decodeParameters(text)
  return form === undefined ? undefined : { ...wire, body: form }
}

const queryOf = (url: string): string => {
  const from = url.indexOf('?')
  return from < 0 ? '' : url.slice(from + 1)
}

const maxParameters = 100

/** Parses `a=1&b=2`; undefined for repeated or too many names, and for one that would change prototypes. */
export const decodeParameters = (text: string): Readonly<Record<string, string>> | undefined => {
  const read: Record<string, string> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    if (count > maxParameters || name === '__proto__' || Object.hasOwn(read, name)) return undefined
    read[name] = value
  }
  return read
}
