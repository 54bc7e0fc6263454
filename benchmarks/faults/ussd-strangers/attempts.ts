import type { Attempt, AttemptParts } from './attempt.ts'
import { operatorAttempt } from './operator-attempts.ts'
import { providerForms } from './provider-forms.ts'

interface Fields {
  readonly sessionId: string
  readonly serviceCode: string
  readonly phoneNumber: string
  readonly text: string
}

type MakeAttempt = (parts: AttemptParts) => Omit<Attempt, 'kind'>

/** Makes the attempt of an index: the kinds take turns. */
export const makeAttempt = (parts: AttemptParts): Attempt => {
  const names = Object.keys(kinds)
  const kind = names[parts.index % names.length]!
  return { kind, ...kinds[kind]!(parts) }
}

const code = '*1234#'

const json = (path: string, body: object): Omit<Attempt, 'kind'> => ({
  method: 'POST',
  path: `/api/ussd${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  locked: false,
})

/** Returns an unused number that no attempt had before. */
const strangerPhone = (index: number) => `+26096${String(index).padStart(7, '0')}`

/** Returns input of a stranger: a move, the victim's input, or that and a move. */
const someText = ({ victim, random }: AttemptParts): string => {
  const typed = victim.phone.typed.join('*')
  const answer = random.pick(['1', '2', '3', '0', '98', '99', '*', '4', '830549'])
  return random.pick(['', answer, typed, `${typed}*${answer}`, typed.slice(0, random.integer(0, typed.length))])
}

/** In the form that the victim's gateway speaks. */
const inTheirForm = (parts: AttemptParts, changed: Partial<Fields>): Omit<Attempt, 'kind'> => {
  const { victim, random } = parts
  const { sessionId, phoneNumber, form, typed } = victim.phone
  const fields = { sessionId, phoneNumber, serviceCode: code, text: someText(parts), ...changed }
  if (form === 'plain') return json('', fields)
  const answers = typed.length + random.integer(-1, 2)
  return json('/hubtel', {
    Type: random.pick(['Initiation', 'Response', 'Response', 'Response', 'Release']),
    Mobile: fields.phoneNumber,
    SessionId: fields.sessionId,
    ServiceCode: fields.serviceCode,
    Message: random.pick(['1', '3', '0', '*', '', code, ...typed.slice(-1)]),
    Sequence: answers + 1,
  })
}

const lookAlikes: readonly ((text: string) => string)[] = [
  text => ` ${text}`,
  text => `${text} `,
  text => text.toUpperCase(),
  text => text.replace('-', '\u2010'),
  text => text.replace(/\d/g, digit => String.fromCharCode(0xff10 + Number(digit))),
  text => `${text}\u0000`,
  text => `${text}\u200b`,
  text => text.replace('+', '00'),
  text => text.replace('+', ''),
  text => text.replace('+', '+0'),
  text => `${text}0`,
  text => text.slice(0, -1),
]

const kinds: Readonly<Record<string, MakeAttempt>> = {
  'another phone': parts => inTheirForm(parts, { phoneNumber: strangerPhone(parts.index) }),
  'another code': parts => inTheirForm(parts, { serviceCode: `*9${parts.index}#` }),
  'another provider': parts => {
    const { victim, random } = parts
    const { sessionId, phoneNumber, form } = victim.phone
    const text = random.pick(['', '1', '3', '0', '98', '*'])
    const others = providerForms.filter(({ name }) => name !== form)
    const {
      path,
      body,
      method = 'POST',
      contentType = 'application/json',
    } = random
      .pick(others)
      .make({ sessionId, phoneNumber, serviceCode: code, text, begins: random.integer(0, 3) === 0 })
    return { method, path: `/api/ussd${path}`, headers: { 'content-type': contentType }, body, locked: false }
  },
  'a guessed id': parts => {
    const sessionId = parts.random.pick([`walk-${parts.random.integer(1, 500)}`, `walk-${parts.index}-x`])
    return inTheirForm(parts, { sessionId, phoneNumber: strangerPhone(parts.index) })
  },
  'an id that looks like theirs': parts => {
    const { sessionId } = parts.victim.phone
    return json('', {
      ...{ serviceCode: code, phoneNumber: strangerPhone(parts.index), text: someText(parts) },
      sessionId: parts.random.pick(lookAlikes)(sessionId),
    })
  },
  'a phone that looks like theirs': parts => {
    const { sessionId, phoneNumber } = parts.victim.phone
    const lookalike = parts.random.pick(lookAlikes)(phoneNumber)
    const given = lookalike === phoneNumber ? [phoneNumber] : lookalike
    return json('', { sessionId, serviceCode: code, text: '', phoneNumber: given })
  },
  "the operator's routes": operatorAttempt,
}

/** Number of kinds. */
export const attemptKinds = Object.keys(kinds).length
