import { z } from 'zod'
import { narrowLimits } from '../text/measure.ts'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { typedEvent } from './hubtel.ts'
import { jsonReply, optionalWireText, wireText, wireWord } from './wire-fields.ts'

/**
 * Emergent (Interpay Africa): the JSON of Hubtel's earlier USSD API, with the last answer alone; the first request holds what
 * was dialled. The same answer within two seconds is one request.
 *
 * No page of Emergent's own is public; this follows the fields that public clients read and write. Not confirmed: whether
 * requests are counted (`Sequence` is not relied on), the limit of a message (160 is kept), and the types of releases.
 */
export const emergent = defineUssdProvider({
  name: 'emergent',
  title: 'Emergent',
  routes: [
    { method: 'post', path: '', takes: 'json', summary: 'A dial, an answer or a release, as Emergent sends it.' },
  ],
  textMode: 'last',
  limits: narrowLimits,
  duplicates: { windowMs: 2000 },
  request: z.object({
    Type: wireWord,
    SessionId: wireText,
    Mobile: wireText,
    ServiceCode: optionalWireText,
    Message: optionalWireText,
  }),
  read({ Type, Message, ...request }) {
    const happened = typedEvent(Type, Message)
    if (happened === undefined) return undefined
    return {
      ...happened,
      sessionId: request.SessionId,
      phoneNumber: request.Mobile,
      serviceCode: request.ServiceCode,
    }
  },
  write: ({ kind, text }) => jsonReply({ Type: kind === 'continue' ? 'Response' : 'Release', Message: text }),
  acknowledge: () => jsonReply({ Type: 'Release', Message: '' }),
})
