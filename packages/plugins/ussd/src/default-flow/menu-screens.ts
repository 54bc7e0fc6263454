import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type {
  ActionContext,
  ActionResult,
  ActionScreen,
  InputScreen,
  MenuScreen,
  MessageScreen,
  Screen,
  SecretScreen,
  Target,
} from '../flow/flow.ts'
import type { DefaultTexts } from '../languages/language.ts'
import type { MenuKit } from './menu-kit.ts'

type TextName = keyof DefaultTexts

/** Creates a menu whose options are texts, each with its target. */
export const menu = (
  { text }: Pick<MenuKit, 'text'>,
  words: TextName,
  options: { readonly [Label in TextName]?: Target },
  back?: Screen['back'],
): MenuScreen => ({
  kind: 'menu',
  ...(back === undefined ? {} : { back }),
  text: text(words),
  options: Object.entries(options).map(([label, to]) => ({ label: text(label as TextName), to })),
})

export const message = ({ text }: Pick<MenuKit, 'text'>, words: TextName, back?: Screen['back']): MessageScreen => ({
  kind: 'message',
  ...(back === undefined ? {} : { back }),
  text: text(words),
})

/** Creates a question with a free answer; `problem` is shown if the parser returns undefined. */
export const input = (
  { text }: MenuKit,
  words: TextName,
  { parse, problem, ...more }: { readonly parse: Parse; readonly problem: TextName } & Pick<InputScreen, 'into' | 'to'>,
): InputScreen => ({
  kind: 'input',
  text: text(words),
  parse: typed => {
    const value = parse(typed)
    return value === undefined ? { problem: text(problem) } : { value }
  },
  ...more,
})

/** Creates a question for a PIN or a code; `problem` is shown if the format is wrong, which costs no attempt. */
export const secret = (
  { text }: MenuKit,
  words: TextName,
  {
    form,
    problem,
    ...more
  }: { readonly form: RegExp; readonly problem: TextName } & Pick<SecretScreen, 'into' | 'to' | 'back'>,
): SecretScreen => ({
  kind: 'secret',
  text: text(words),
  check: typed => (form.test(typed) ? undefined : text(problem)),
  ...more,
})

export const action = (
  kit: MenuKit,
  run: (kit: MenuKit, context: ActionContext) => Promise<ActionResult>,
  leadsTo: readonly string[],
): ActionScreen => ({ kind: 'action', effect: 'read', run: context => run(kit, context), leadsTo })

/** Returns the value of the input; undefined if it is invalid. */
type Parse = (typed: string) => JsonValue | undefined

export const pinForm = /^\d{4,6}$/

/** Parses a customer id, with blanks, dots and hyphens between the digits. */
export const parseCustomerId: Parse = typed => /^\d{9}$/.exec(typed.replace(/[\s.-]/g, ''))?.[0]

/** Parses a name in any script: 1 to 60 characters with at least one letter. */
export const parseName: Parse = typed => {
  const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
  return [...name].length <= 60 && /\p{L}/u.test(name) && !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name) ? name : undefined
}

/** The domain is the same in any case (RFC 5321 §2.4). */
const emailAddress = z
  .email()
  .max(120)
  .overwrite(email => email.replace(/@[^@]*$/, domain => domain.toLowerCase()))

/** Parses an email address; `1` for none returns null. */
export const parseEmail: Parse = typed => (typed.trim() === '1' ? null : emailAddress.safeParse(typed.trim()).data)

/** Returns a parser of free text of up to 160 characters. @param shortest In characters. */
export const parseWords =
  (shortest: number): Parse =>
  typed => {
    const words = typed.replace(/\s+/g, ' ').trim()
    const { length } = [...words]
    return length >= shortest && length <= 160 ? words : undefined
  }

/** Creates the screen for a new PIN; `to` asks for it again. */
export const choosePinScreen = (
  { text, customers }: MenuKit,
  words: 'choosePin' | 'pinWasReset',
  to: string,
): SecretScreen => ({
  kind: 'secret',
  text: text(words),
  into: 'newPin',
  check: (typed, { phoneNumber, values: { pinOf } }) => {
    const violation = customers.pinViolation(typed, {
      phoneNumber,
      ...(typeof pinOf === 'string' ? { customerId: pinOf } : {}),
    })
    if (violation === undefined) return undefined
    return text(violation === 'weak' ? 'pinWeak' : 'pinForm')
  },
  to,
})

/** Returns the screen that asks for the new PIN again; `0` leads back to choose another. @param to The next screen. */
export const repeatPinScreen = ({ text }: MenuKit, to: string): SecretScreen => ({
  kind: 'secret',
  text: text('repeatPin'),
  into: 'newPinAgain',
  check: (typed, { secrets }) => (typed === secrets.newPin ? undefined : text('pinsDiffer')),
  to,
})
