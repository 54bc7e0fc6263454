import { z } from 'zod'
import { narrowLimits } from '../text/measure.ts'
import { defineUssdProvider, type ProviderReading } from './define-ussd-provider.ts'
import { jsonReply, optionalWireText, wireCount, wireText, wireWord } from './wire-fields.ts'

/** Fields of Hubtel's form, which other providers share. */
export const typedFields = {
  Type: wireWord,
  SessionId: wireText,
  Mobile: wireText,
  ServiceCode: optionalWireText,
  Message: optionalWireText,
} as const

type TypedRequest = z.output<z.ZodObject<typeof typedFields>>

/**
 * Hubtel's Programmable Services: JSON with only the last answer; the first request has the dialed text. `Sequence`
 * counts a session's requests, so that a repeated delivery is detected.
 *
 * Source: "API Reference - Prog Services" on developers.hubtel.com and "Sample General Services Interaction" on
 * hubtel.readme.io. Not confirmed: the limit of a message (160 is used), `Label`, `DataType` and `FieldType` of the
 * response, the type `timeout` (of the earlier USSD API), and how the response to `release` is used.
 */
export const hubtel = defineUssdProvider({
  name: 'hubtel',
  title: 'Hubtel',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial, an answer or a release, as Hubtel sends it.' }],
  textMode: 'last',
  limits: narrowLimits,
  duplicates: 'sequence',
  request: z.object({
    ...typedFields,
    serviceCode: optionalWireText,
    Sequence: wireCount,
  }),
  read({ serviceCode, Sequence, ...request }) {
    const reading = readTyped(request)
    return reading && { ...reading, serviceCode: reading.serviceCode || serviceCode, sequence: Sequence }
  },
  write: ({ kind, text }, _wire, { sessionId }) =>
    jsonReply({
      SessionId: sessionId,
      Type: kind === 'continue' ? 'response' : 'release',
      Message: text,
      Label: text.split('\n', 1)[0],
      ClientState: '',
      DataType: kind === 'continue' ? 'input' : 'display',
      FieldType: 'text',
    }),
  acknowledge: (_wire, { sessionId }) => jsonReply({ SessionId: sessionId, Type: 'release', Message: '' }),
})

const events: ReadonlyMap<string, ProviderReading['event']> = new Map([
  ['initiation', 'dial'],
  ['response', 'input'],
  ['release', 'release'],
  ['timeout', 'timeout'],
])

/**
 * Reads the fields of Hubtel's form; undefined for an unknown `Type`. `Message` is the dialed text, or the last answer.
 */
export const readTyped = (request: TypedRequest): (ProviderReading & { readonly serviceCode: string }) | undefined => {
  const { Type, SessionId: sessionId, Mobile: phoneNumber, ServiceCode: serviceCode, Message } = request
  const event = events.get(Type)
  if (event === undefined) return undefined
  const content = event === 'dial' ? { dialled: Message } : event === 'input' ? { text: Message } : {}
  return { event, sessionId, phoneNumber, serviceCode, ...content }
}
