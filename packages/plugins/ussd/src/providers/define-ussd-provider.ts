import type { JsonValue } from '@sibyl/protocol'
import type { z } from 'zod'
import { checkProvider } from './check-provider.ts'
import type { ProviderMessage, ReplyError, UssdProvider, WireReply, WireRequest } from './ussd-provider.ts'
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
