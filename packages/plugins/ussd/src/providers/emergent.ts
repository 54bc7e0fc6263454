import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { readTyped, typedFields } from './hubtel.ts'
import { jsonReply, lastAnswers } from './wire-fields.ts'

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
  ...lastAnswers,
  request: z.object(typedFields),
  read: readTyped,
  write: ({ kind, text }) => jsonReply({ Type: kind === 'continue' ? 'Response' : 'Release', Message: text }),
  acknowledge: () => jsonReply({ Type: 'Release', Message: '' }),
})
