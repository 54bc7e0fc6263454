import { type FakeAnswer, startFakeOpenAi } from '@sibyl/models/testing'

/** The text of a whole answer. */
export const wholeText = 'Charge 1. Charge 2. Both are charged, in order.'

/** Starts a model server whose model charges twice, one call a step, and says so. */
export const startPayingModel = () =>
  startFakeOpenAi({
    record: false,
    onViolation: () => {},
    replies({ body }): FakeAnswer {
      const messages = body.messages as readonly { readonly role: string; readonly content: unknown }[]
      const asked = messages.findLastIndex(({ role }) => role === 'user')
      const [, turn = ''] = /Pay both\. (\w+)/.exec(JSON.stringify(messages[asked]?.content)) ?? []
      const charged = messages.slice(asked).filter(({ role }) => role === 'tool').length
      if (charged === 2) return { text: 'Both are charged, in order.' }
      const amount = charged + 1
      return { text: `Charge ${amount}. `, toolCalls: [{ name: 'charge', arguments: { turn, amount } }] }
    },
  })
