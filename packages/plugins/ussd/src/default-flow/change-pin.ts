import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import { codeForm, parseCustomerId, pinForm } from './account-inputs.ts'
import type { MenuKit } from './menu-kit.ts'
import { choosePinScreen, repeatPinScreen } from './pin-screens.ts'

/**
 * Changes a PIN: after the old one, after a one-time code, or after signing in with one that was reset. The value `pinOf`
 * says whose, and is set by nothing but a verdict in this session.
 */
export const changePin = (kit: MenuKit): Record<string, Screen> => {
  const { text } = kit
  return {
    enterOldPin: {
      kind: 'secret',
      text: text('enterOldPin'),
      into: 'pin',
      check: pinForm(text('pinForm')),
      to: 'checkOldPin',
    },
    checkOldPin: {
      kind: 'action',
      effect: 'read',
      run: context => checkOldPin(kit, context),
      leadsTo: ['chooseNewPin', 'wrongPin', 'lockedOut', 'signInAgain'],
    },
    wrongPin: {
      kind: 'menu',
      back: 'myAccount',
      text: text('wrongPin'),
      options: [{ label: text('tryAgain'), to: 'enterOldPin' }],
    },
    chooseNewPin: { ...choosePinScreen(kit, 'choosePin', 'repeatNewPin'), back: 'preMenu' },
    choosePinAnew: { ...choosePinScreen(kit, 'pinWasReset', 'repeatNewPin'), back: 'preMenu' },
    repeatNewPin: repeatPinScreen(kit, 'savePin'),
    savePin: {
      kind: 'action',
      effect: 'read',
      run: context => savePin(kit, context),
      leadsTo: ['pinChanged', 'pinRefused', 'signInAgain'],
    },
    pinRefused: {
      kind: 'menu',
      back: 'preMenu',
      text: text('pinRefused'),
      options: [{ label: text('tryAgain'), to: 'chooseNewPin' }],
    },
    pinChanged: {
      kind: 'menu',
      back: false,
      text: text('pinChanged'),
      options: [{ label: text('goOn'), to: 'myAccount' }],
    },
  }
}

/** The way back for those who forgot it. @param askOperator What they read where no SMS can be sent. */
export const forgotPin = (kit: MenuKit, askOperator: Screen): Record<string, Screen> => {
  const { text } = kit
  if (!kit.sms) return { forgotPin: askOperator }
  return {
    forgotPin: {
      kind: 'input',
      text: text('enterIdForReset'),
      into: 'loginId',
      parse: parseCustomerId(text('customerIdForm')),
      to: 'sendCode',
    },
    sendCode: {
      kind: 'action',
      effect: 'write',
      run: context => sendCode(kit, context),
      leadsTo: ['enterCode', 'askOperator'],
    },
    askOperator,
    enterCode: {
      kind: 'secret',
      back: 'accountMenu',
      text: text('enterCode'),
      into: 'code',
      check: codeForm(text('codeForm')),
      to: 'checkCode',
    },
    checkCode: {
      kind: 'action',
      effect: 'read',
      run: context => checkCode(kit, context),
      leadsTo: ['chooseNewPin', 'wrongCode', 'lockedOut'],
    },
    wrongCode: {
      kind: 'menu',
      back: 'accountMenu',
      text: text('wrongCode'),
      options: [{ label: text('tryAgain'), to: 'enterCode' }],
    },
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
