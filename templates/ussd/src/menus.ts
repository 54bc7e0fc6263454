import { defineFlow, type Questions } from '@sibyl/plugin-ussd'

/** The menus that callers see: screens by name, and where each answer leads. */
export const menus = ({ questions }: { readonly questions: Pick<Questions, 'ask'> }) =>
  defineFlow({
    start: 'welcome',
    values: {
      question: { longest: 160, example: 'Will it rain in Lusaka?' },
      answer: { longest: 600, example: 'It is 24 C in Lusaka with clear skies.' },
    },
    screens: {
      welcome: {
        kind: 'menu',
        text: 'Welcome',
        options: [
          { label: 'Ask a question', to: 'question' },
          { label: 'Opening hours', to: 'hours' },
        ],
      },
      hours: { kind: 'message', text: 'The office is open Monday to Friday, 8 to 17.' },
      question: {
        kind: 'input',
        text: 'What do you want to know?',
        into: 'question',
        parse: typed => (typed.length > 2 ? { value: typed } : { problem: 'Type a whole question.' }),
        to: 'ask',
      },
      ask: {
        kind: 'action',
        // After a crash it runs again with the same key, which makes it the same question.
        effect: 'idempotent',
        async run({ phoneNumber, values, idempotencyKey }) {
          const answer = await questions.ask({ phoneNumber, question: String(values.question), idempotencyKey })
          return answer.kind === 'answered' ? { to: 'answer', values: { answer: answer.text } } : { to: 'noAnswer' }
        },
        leadsTo: ['answer', 'noAnswer'],
      },
      answer: { kind: 'message', back: 'welcome', text: '{answer}' },
      noAnswer: { kind: 'message', back: 'welcome', text: 'There is no answer just now. Try again later.' },
    },
  })
