import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import { parseCustomerId, pinForm } from './account-inputs.ts'
import { preferredLanguage } from './language-menu.ts'
import type { MenuKit } from './menu-kit.ts'

/** The menu of those who are not signed in, and signing in. */
export const accountMenu = (kit: MenuKit): Record<string, Screen> => {
  const { text } = kit
  return {
    accountMenu: {
      kind: 'menu',
      text: text('accountMenu'),
      options: [
        { label: text('logIn'), to: 'enterCustomerId' },
        { label: text('createAccount'), to: 'enterName' },
        { label: text('language'), to: 'chooseLanguage' },
      ],
    },
    enterCustomerId: {
      kind: 'input',
      text: text('enterCustomerId'),
      into: 'loginId',
      parse: parseCustomerId(text('customerIdForm')),
      to: 'enterPin',
    },
    enterPin: { kind: 'secret', text: text('enterPin'), into: 'pin', check: pinForm(text('pinForm')), to: 'logIn' },
    logIn: {
      kind: 'action',
      effect: 'read',
      run: context => logIn(kit, context),
      leadsTo: ['myAccount', 'choosePinAnew', 'wrongLogin', 'lockedOut'],
    },
    wrongLogin: {
      kind: 'menu',
      back: 'accountMenu',
      text: text('wrongLogin'),
      options: [
        { label: text('tryAgain'), to: 'enterCustomerId' },
        { label: text('forgotPin'), to: 'forgotPin' },
      ],
    },
    lockedOut: {
      kind: 'menu',
      back: 'preMenu',
      text: text('locked'),
      options: [{ label: text('forgotPin'), to: 'forgotPin' }],
    },
    signInAgain: { kind: 'message', back: 'accountMenu', text: text('signInAgain') },
  }
}

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
