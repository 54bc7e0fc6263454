import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import { preferredLanguage } from './language-menu.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, input, menu, message, parseCustomerId, pinForm, secret } from './menu-screens.ts'

/** Returns the menu of callers without a sign-in, and the sign-in screens. */
export const accountMenu = (kit: MenuKit): Record<string, Screen> => ({
  accountMenu: menu(kit, 'accountMenu', {
    logIn: 'enterCustomerId',
    createAccount: 'enterName',
    language: 'chooseLanguage',
  }),
  enterCustomerId: input(kit, 'enterCustomerId', {
    into: 'loginId',
    parse: parseCustomerId,
    problem: 'customerIdForm',
    to: 'enterPin',
  }),
  enterPin: secret(kit, 'enterPin', { into: 'pin', form: pinForm, problem: 'pinForm', to: 'logIn' }),
  logIn: action(kit, logIn, ['myAccount', 'choosePinAnew', 'wrongLogin', 'lockedOut']),
  wrongLogin: menu(kit, 'wrongLogin', { tryAgain: 'enterCustomerId', forgotPin: 'forgotPin' }, 'accountMenu'),
  lockedOut: menu(kit, 'locked', { forgotPin: 'forgotPin' }, 'preMenu'),
  signInAgain: message(kit, 'signInAgain', 'accountMenu'),
})

const logIn = async (kit: MenuKit, context: ActionContext): Promise<ActionResult> => {
  const { phoneNumber, values, secrets } = context
  const verdict = await kit.customers.checkPin({
    customerId: String(values.loginId),
    pin: secrets.pin ?? '',
    phoneNumber,
  })
  switch (verdict.kind) {
    case 'wrong':
      return { to: 'wrongLogin' }
    case 'locked':
      return { to: 'lockedOut', values: { minutes: verdict.minutes } }
    case 'must-change':
      return { to: 'choosePinAnew', values: { pinOf: verdict.customer.id, pinMark: verdict.pinMark } }
    case 'right':
      return {
        to: 'myAccount',
        customerId: verdict.customer.id,
        values: { loginId: null },
        ...(await preferredLanguage(kit, context)),
      }
  }
}
