import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'
import {
  action,
  choosePinScreen,
  input,
  menu,
  parseCustomerId,
  pinForm,
  repeatPinScreen,
  secret,
} from './menu-screens.ts'

/**
 * Creates the screens that change a PIN: after the old one, a one-time code, or a sign-in with a reset PIN. The value
 * `pinOf` is the customer's ID, which only a verdict in this session sets.
 */
export const changePin = (kit: MenuKit): Record<string, Screen> => ({
  enterOldPin: secret(kit, 'enterOldPin', { into: 'pin', form: pinForm, problem: 'pinForm', to: 'checkOldPin' }),
  checkOldPin: action(kit, checkOldPin, ['chooseNewPin', 'wrongPin', 'lockedOut', 'signInAgain']),
  wrongPin: menu(kit, 'wrongPin', { tryAgain: 'enterOldPin' }, 'myAccount'),
  chooseNewPin: { ...choosePinScreen(kit, 'choosePin', 'repeatNewPin'), back: 'preMenu' },
  choosePinAnew: { ...choosePinScreen(kit, 'pinWasReset', 'repeatNewPin'), back: 'preMenu' },
  repeatNewPin: repeatPinScreen(kit, 'savePin'),
  savePin: action(kit, savePin, ['pinChanged', 'pinRefused', 'signInAgain']),
  pinRefused: menu(kit, 'pinRefused', { tryAgain: 'chooseNewPin' }, 'preMenu'),
  pinChanged: menu(kit, 'pinChanged', { goOn: 'myAccount' }, false),
})

/** Creates the recovery screens of a forgotten PIN. @param askOperator Screen if SMS is unavailable. */
export const forgotPin = (kit: MenuKit, askOperator: Screen): Record<string, Screen> => {
  if (!kit.sms) return { forgotPin: askOperator }
  return {
    forgotPin: input(kit, 'enterIdForReset', {
      into: 'loginId',
      parse: parseCustomerId,
      problem: 'customerIdForm',
      to: 'sendCode',
    }),
    sendCode: { ...action(kit, sendCode, ['enterCode', 'askOperator']), effect: 'write' },
    askOperator,
    enterCode: secret(kit, 'enterCode', {
      back: 'accountMenu',
      into: 'code',
      form: /^\d{4,12}$/,
      problem: 'codeForm',
      to: 'checkCode',
    }),
    checkCode: action(kit, checkCode, ['chooseNewPin', 'wrongCode', 'lockedOut']),
    wrongCode: menu(kit, 'wrongCode', { tryAgain: 'enterCode' }, 'accountMenu'),
  }
}

const checkOldPin = async (
  { customers }: MenuKit,
  { customerId, phoneNumber, secrets }: ActionContext,
): Promise<ActionResult> => {
  if (customerId === undefined) return { to: 'signInAgain' }
  const verdict = await customers.checkPin({ customerId, pin: secrets.pin ?? '', phoneNumber })
  if (verdict.kind === 'wrong') return { to: 'wrongPin' }
  if (verdict.kind === 'locked') return { to: 'lockedOut', values: { minutes: verdict.minutes }, customerId: null }
  return { to: 'chooseNewPin', values: { pinOf: customerId, pinMark: verdict.pinMark } }
}

const sendCode = async ({ customers }: MenuKit, { values, phoneNumber }: ActionContext): Promise<ActionResult> => {
  const sent = await customers.sendResetCode({ customerId: String(values.loginId), phoneNumber })
  return { to: sent ? 'enterCode' : 'askOperator' }
}

const checkCode = async (
  { customers }: MenuKit,
  { values, secrets, phoneNumber }: ActionContext,
): Promise<ActionResult> => {
  const verdict = await customers.checkResetCode({
    customerId: String(values.loginId),
    code: secrets.code ?? '',
    phoneNumber,
  })
  if (verdict.kind === 'wrong') return { to: 'wrongCode' }
  if (verdict.kind === 'locked') return { to: 'lockedOut', values: { minutes: verdict.minutes } }
  return { to: 'chooseNewPin', values: { pinOf: verdict.customer.id, pinMark: verdict.pinMark, loginId: null } }
}

const savePin = async ({ customers }: MenuKit, { values, secrets }: ActionContext): Promise<ActionResult> => {
  const { pinOf, pinMark } = values
  if (typeof pinOf !== 'string' || typeof pinMark !== 'string') return { to: 'signInAgain' }
  try {
    const { write } = await customers.changePin(pinOf, secrets.newPin ?? '', pinMark)
    return { to: 'pinChanged', customerId: pinOf, values: { pinOf: null, pinMark: null }, write }
  } catch (error) {
    if (ussdErrors.pin_weak.is(error)) return { to: 'pinRefused' }
    if (ussdErrors.pin_outdated.is(error))
      return { to: 'signInAgain', customerId: null, values: { pinOf: null, pinMark: null } }
    throw error
  }
}
