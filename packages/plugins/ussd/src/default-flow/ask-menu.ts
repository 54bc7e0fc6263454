import type { JsonValue } from '@sibyl/protocol'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { DefaultTexts } from '../languages/language.ts'
import type { Answer } from '../questions/questions.ts'
import { parseWords } from './account-inputs.ts'
import { preferredLanguage } from './language-menu.ts'
import type { MenuKit } from './menu-kit.ts'

/** Screens shown instead of an answer, with their texts. */
const withoutAnswer = {
  oracleBusy: 'oracleBusy',
  oracleUsedUp: 'oracleUsedUp',
  creditUsedUp: 'creditUsedUp',
  oracleNotSetUp: 'oracleNotSetUp',
  oracleUnavailable: 'oracleUnavailable',
  answerFailed: 'answerFailed',
  answerInterrupted: 'answerInterrupted',
} as const satisfies Readonly<Record<string, keyof DefaultTexts>>

type WithoutAnswer = keyof typeof withoutAnswer

const refusals = {
  busy: 'oracleBusy',
  budget: 'oracleUsedUp',
  credit: 'creditUsedUp',
  'not-set-up': 'oracleNotSetUp',
  unavailable: 'oracleUnavailable',
} as const satisfies Readonly<Record<Extract<Answer, { kind: 'refused' }>['reason'], WithoutAnswer>>

/** Screens that ask the oracle and show the last answer again. */
export const askMenu = (kit: MenuKit): Record<string, Screen> => {
  const { text } = kit
  const withoutAnswers = Object.keys(withoutAnswer)
  return {
    enterQuestion: {
      kind: 'input',
      text: text('enterQuestion'),
      into: 'question',
      parse: parseWords(2, text('questionForm')),
      to: 'askOracle',
    },
    askOracle: {
      kind: 'action',
      effect: 'idempotent',
      run: context => askOracle(kit, context),
      timeLimitMs: 8000,
      late: text('answerLate'),
      leadsTo: ['answer', 'signInAgain', ...withoutAnswers],
    },
    answer: { kind: 'message', back: 'myAccount', text: ({ values }) => wordsOf(values.answer) },
    lastAnswer: {
      kind: 'action',
      effect: 'read',
      run: context => readLastAnswer(kit, context),
      timeLimitMs: 8000,
      late: text('answerLate'),
      leadsTo: ['lastAnswerText', 'noLastAnswer', 'signInAgain', ...withoutAnswers],
    },
    lastAnswerText: {
      kind: 'message',
      back: 'myAccount',
      text: ({ values }) => `"${wordsOf(values.question)}"\n${wordsOf(values.answer)}`,
    },
    noLastAnswer: { kind: 'message', back: 'myAccount', text: text('noLastAnswer') },
    ...Object.fromEntries(
      Object.entries(withoutAnswer).map(([name, words]): [string, Screen] => [
        name,
        { kind: 'message', back: 'myAccount', text: text(words) },
      ]),
    ),
  }
}

/** Asks, and goes on in the language that the person may just have asked for. */
const askOracle = async (kit: MenuKit, context: ActionContext): Promise<ActionResult> => {
  const { phoneNumber, customerId, values, idempotencyKey } = context
  if (customerId === undefined) return { to: 'signInAgain' }
  const question = String(values.question)
  const answer = await kit.questions.ask({ phoneNumber, customerId, question, idempotencyKey })
  return answer.kind === 'answered'
    ? { to: 'answer', values: { answer: answer.text, question: null }, ...(await preferredLanguage(kit, context)) }
    : { to: screenWithout(answer), values: { question: null } }
}

const readLastAnswer = async (
  { questions }: MenuKit,
  { phoneNumber, customerId }: ActionContext,
): Promise<ActionResult> => {
  if (customerId === undefined) return { to: 'signInAgain' }
  const last = await questions.last({ phoneNumber, customerId })
  if (!last) return { to: 'noLastAnswer' }
  const { question, answer } = last
  return answer.kind === 'answered'
    ? { to: 'lastAnswerText', values: { question, answer: answer.text } }
    : { to: screenWithout(answer) }
}

/** A value as it is, lines and all. */
const wordsOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const screenWithout = (answer: Exclude<Answer, { kind: 'answered' }>): WithoutAnswer => {
  if (answer.kind === 'refused') return refusals[answer.reason]
  return answer.kind === 'failed' ? 'answerFailed' : 'answerInterrupted'
}
