import { z } from 'zod'
import { defineUssdProvider } from './define-ussd-provider.ts'
import { readTyped, typedFields } from './hubtel.ts'
import { jsonReply, lastAnswers } from './wire-fields.ts'

/**
 * Emergent (Interpay Africa): the JSON of Hubtel's earlier USSD API, with only the last answer; the first request has
 * the dialed text. The same answer within two seconds is one request.
 *
 * Source: the fields that public clients read and write, because Emergent has no public page. Not confirmed: whether
 * requests are counted (`Sequence` is not used), the limit of a message (160 is used), and the types of releases.
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
