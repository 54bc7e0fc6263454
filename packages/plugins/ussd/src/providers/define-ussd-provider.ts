import type { JsonValue } from '@sibyl/protocol'
import type { z } from 'zod'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type {
  ProviderMessage,
  ProviderRoute,
  ReplyError,
  UssdProvider,
  WireReply,
  WireRequest,
} from './ussd-provider.ts'
import { dialledCode, e164, errorStatus, serviceCode, textReply } from './wire-fields.ts'

/** Content of a provider's request, in the provider's own form. */
export interface ProviderReading {
  readonly event: ProviderMessage['event']
  readonly sessionId: string
  /** As received: `+233244123456`, `233244123456`, or with a space instead of the plus. */
  readonly phoneNumber: string
  /** As received: `*713#`, `713`. Omit it if requests within a session do not contain it. */
  readonly serviceCode?: string
  /** On a dial: the whole dialed text, if the provider sends it: `*713*2#`. */
  readonly dialled?: string
  /** @default '', as on a dial */
  readonly text?: string
  readonly sequence?: number
  /** Values that the reply returns. */
  readonly echo?: Readonly<Record<string, JsonValue>>
}

export interface UssdProviderDefinition<Request extends z.ZodType>
  extends Pick<UssdProvider, 'name' | 'title' | 'routes' | 'textMode' | 'limits' | 'duplicates'> {
  /** Schema of a body, or of a query; other input is answered as invalid. */
  readonly request: Request
  /** Returns the meaning of the request; undefined if it has none. */
  readonly read: (request: z.output<Request>, wire: WireRequest) => ProviderReading | undefined
  readonly write: UssdProvider['write']
  /** Returns the response to `release` and `timeout`. @default status 200 with the text `OK` */
  readonly acknowledge?: UssdProvider['acknowledge']
  /**
   * Returns the response without a screen. @default the text as an end; with status 403 for `refused`, 429 for
   * `rate-limited`
   */
  readonly fault?: (
    violation: ReplyError,
    text: string,
    wire: WireRequest,
    message: ProviderMessage | undefined,
  ) => WireReply
}

/** Message for a reply to an unknown phone. */
const anonymous: ProviderMessage = { event: 'input', sessionId: '', phoneNumber: '', serviceCode: '', text: '' }

/**
 * Creates a provider from its definition: phone numbers become E.164, service codes get their star and hash.
 *
 * @throws `ussd_provider_invalid` for an invalid definition
 *
 * @example
 * const acme = defineUssdProvider({
 *   name: 'acme',
 *   title: 'Acme Telecom',
 *   routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial or an answer' }],
 *   textMode: 'last',
 *   limits: { gsm7: 182, ucs2: 80 },
 *   duplicates: 'sequence',
 *   request: z.object({ id: z.string(), from: z.string(), said: z.string(), step: z.int() }),
 *   read: ({ id, from, said, step }) => ({
 *     event: step === 0 ? 'dial' : 'input',
 *     sessionId: id,
 *     phoneNumber: from,
 *     text: step === 0 ? '' : said,
 *     sequence: step,
 *   }),
 *   write: reply => ({
 *     status: 200,
 *     contentType: 'application/json',
 *     body: JSON.stringify({ show: reply.text, more: reply.kind === 'continue' }),
 *   }),
 * })
 */
export const defineUssdProvider = <Request extends z.ZodType>(
  definition: UssdProviderDefinition<Request>,
): UssdProvider => {
  const { name, title, routes, textMode, limits, duplicates, request, read, write } = definition
  checkProvider(definition)
  return {
    name,
    title,
    routes,
    textMode,
    limits,
    duplicates,
    read(wire) {
      const parsed = request.safeParse(wire.method === 'GET' ? wire.query : wire.body)
      const reading = parsed.success ? read(parsed.data, wire) : undefined
      return reading && toMessage(reading)
    },
    write,
    acknowledge: definition.acknowledge ?? (() => textReply('OK')),
    fault:
      definition.fault ??
      ((violation, text, wire, message) => ({
        ...write({ kind: 'end', text }, wire, message ?? anonymous),
        status: errorStatus(violation),
      })),
  }
}

const toMessage = ({ text = '', ...reading }: ProviderReading): ProviderMessage | undefined => {
  const phoneNumber = e164(reading.phoneNumber)
  if (phoneNumber === undefined) return undefined
  const dialled = dialledCode(reading.dialled ?? '')
  return {
    event: reading.event,
    sessionId: reading.sessionId,
    phoneNumber,
    serviceCode: serviceCode(reading.serviceCode ?? ''),
    text,
    ...(dialled !== '' && { dialled }),
    ...(reading.sequence !== undefined && { sequence: reading.sequence }),
    ...(reading.echo !== undefined && { echo: reading.echo }),
  }
}

/** Reserved names below `/api/ussd`. */
const takenNames: ReadonlySet<string> = new Set(['plain', 'debug', 'sessions', 'customers', 'keys'])

/** Maximum time within which the same text is the same request, in milliseconds. */
const maxWindowMs = 30_000

/** @throws `ussd_provider_invalid` with every problem of a provider's definition */
const checkProvider = (provider: Pick<UssdProvider, 'name' | 'title' | 'routes' | 'limits' | 'duplicates'>) => {
  const violations = [...nameViolations(provider.name), ...routeViolations(provider.routes)]
  if (provider.title.trim() === '') violations.push('title is empty: give it the name people know')
  const { gsm7, ucs2 } = provider.limits
  if (!isBetween(gsm7, 60, 182)) violations.push(`limits.gsm7 is ${gsm7}: a message holds 60 to 182 septets`)
  if (!isBetween(ucs2, 30, 80)) violations.push(`limits.ucs2 is ${ucs2}: a message holds 30 to 80 code units`)
  const { duplicates } = provider
  if (typeof duplicates === 'object' && !isBetween(duplicates.windowMs, 1, maxWindowMs)) {
    violations.push(`duplicates.windowMs is ${duplicates.windowMs}: choose 1 to ${maxWindowMs} milliseconds`)
  }
  if (violations.length === 0) return
  const facts = { provider: provider.name, faults: violations }
  throw ussdErrors.ussd_provider_invalid(
    { provider: JSON.stringify(provider.name), problems: violations.join('; ') },
    { facts },
  )
}

const nameViolations = (name: string): string[] => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    return ['name stands in a path: use small letters, digits and hyphens, at most 40']
  }
  return takenNames.has(name)
    ? [`name is taken by a route of the plugin: choose another than ${[...takenNames].join(', ')}`]
    : []
}

const routeViolations = (routes: readonly ProviderRoute[]): string[] => {
  if (routes.length === 0) return ['routes is empty: name at least one']
  const known = new Set<string>()
  return routes.flatMap(({ method, path, takes }) => {
    const violations: string[] = []
    const route = `${method.toUpperCase()} ${path === '' ? "''" : path}`
    if (!/^(\/([a-z0-9-]+|\{[a-zA-Z][a-zA-Z0-9]*\}))*$/.test(path)) {
      violations.push(`the path of ${route} is neither empty nor like /session/{id}/start`)
    }
    if ((method === 'get') !== (takes === 'query'))
      violations.push(`${route} takes ${takes}: GET takes query, the others json or form`)
    if (known.has(route)) violations.push(`${route} stands twice`)
    known.add(route)
    return violations
  })
}

const isBetween = (given: number, least: number, max: number) =>
  Number.isInteger(given) && given >= least && given <= max
