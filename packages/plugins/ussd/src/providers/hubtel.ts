import { z } from 'zod'
import { narrowLimits } from '../text/measure.ts'
import { defineUssdProvider, type ProviderReading } from './define-ussd-provider.ts'
import { jsonReply, optionalWireText, wireCount, wireText, wireWord } from './wire-fields.ts'

/**
 * Hubtel's Programmable Services: JSON with the last answer alone; the first request holds what was dialled. `Sequence`
 * counts a session's requests, so that one delivered twice is known.
 *
 * After "API Reference - Prog Services" on developers.hubtel.com and "Sample General Services Interaction" on
 * hubtel.readme.io. Not confirmed: the limit of a message (160 is kept), `Label`, `DataType` and `FieldType` of the
 * answer, the type `timeout` (of the earlier USSD API), and what is read of the answer to `release`.
 */
export const hubtel = defineUssdProvider({
  name: 'hubtel',
  title: 'Hubtel',
  routes: [{ method: 'post', path: '', takes: 'json', summary: 'A dial, an answer or a release, as Hubtel sends it.' }],
  textMode: 'last',
  limits: narrowLimits,
  duplicates: 'sequence',
  request: z.object({
    Type: wireWord,
    SessionId: wireText,
    Mobile: wireText,
    ServiceCode: optionalWireText,
    serviceCode: optionalWireText,
    Message: optionalWireText,
    Sequence: wireCount,
  }),
  read({ Type, Message, ...request }) {
    const happened = typedEvent(Type, Message)
    if (happened === undefined) return undefined
    return {
      ...happened,
      sessionId: request.SessionId,
      phoneNumber: request.Mobile,
      serviceCode: request.ServiceCode || request.serviceCode,
      sequence: request.Sequence,
    }
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
 * What happened, by the `Type` and `Message` of a request, as Hubtel writes them and those who took over its form.
 *
 * @param type In small letters.
 * @param message What was dialled, or the last answer.
 * @returns undefined for a type that means nothing
 */
export const typedEvent = (
  type: string,
  message: string,
): Pick<ProviderReading, 'event' | 'dialled' | 'text'> | undefined => {
  const event = events.get(type)
  if (event === undefined) return undefined
  return { event, ...(event === 'dial' && { dialled: message }), ...(event === 'input' && { text: message }) }
}
