import type { JsonValue } from '@sibyl/protocol'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { DefaultTexts } from '../languages/language.ts'
import type { Answer } from '../questions/questions.ts'
import { preferredLanguage } from './language-menu.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, input, message, parseWords } from './menu-screens.ts'

const refusals = {
  busy: 'oracleBusy',
  budget: 'oracleUsedUp',
  credit: 'creditUsedUp',
  'not-set-up': 'oracleNotSetUp',
  unavailable: 'oracleUnavailable',
} as const satisfies Readonly<Record<Extract<Answer, { kind: 'refused' }>['reason'], keyof DefaultTexts>>

/** Screens shown instead of an answer, by the names of their texts. */
const withoutAnswer = [...Object.values(refusals), 'answerFailed', 'answerInterrupted', 'answerActed'] as const

/** Returns screens that ask the oracle and show the last answer again. */
export const askMenu = (kit: MenuKit): Record<string, Screen> => {
  const asking = { timeLimitMs: 8000, late: kit.text('answerLate') }
  return {
    enterQuestion: input(kit, 'enterQuestion', {
      into: 'question',
      parse: parseWords(2),
      problem: 'questionForm',
      to: 'askOracle',
    }),
    askOracle: {
      ...action(kit, askOracle, ['answer', 'signInAgain', ...withoutAnswer]),
      effect: 'idempotent',
      ...asking,
    },
    answer: { kind: 'message', back: 'myAccount', text: ({ values }) => textOf(values.answer) },
    lastAnswer: {
      ...action(kit, readLastAnswer, ['lastAnswerText', 'noLastAnswer', 'signInAgain', ...withoutAnswer]),
      ...asking,
    },
    lastAnswerText: {
      kind: 'message',
      back: 'myAccount',
      text: ({ values }) => `"${textOf(values.question)}"\n${textOf(values.answer)}`,
    },
    noLastAnswer: message(kit, 'noLastAnswer', 'myAccount'),
    ...Object.fromEntries(withoutAnswer.map(name => [name, message(kit, name, 'myAccount')])),
  }
}

/** Sends the question, and continues in the language that the user may have requested. */
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

/** Returns a value with its line breaks. */
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** The screens about turns without an answer. */
const endedScreens = { failed: 'answerFailed', interrupted: 'answerInterrupted', acted: 'answerActed' } as const

const screenWithout = (answer: Exclude<Answer, { kind: 'answered' }>): (typeof withoutAnswer)[number] => {
  if (answer.kind === 'refused') return refusals[answer.reason]
  return endedScreens[answer.kind]
}
