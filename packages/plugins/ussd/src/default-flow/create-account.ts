import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import { parseEmail, parseName } from './account-inputs.ts'
import type { MenuKit } from './menu-kit.ts'
import { choosePinScreen, repeatPinScreen } from './pin-screens.ts'

/** Screens that create an account: name, e-mail, PIN twice; then the customer id is shown and the caller signed in. */
export const createAccount = (kit: MenuKit): Record<string, Screen> => {
  const { text } = kit
  return {
    enterName: {
      kind: 'input',
      text: text('enterName'),
      into: 'name',
      parse: parseName(text('nameForm')),
      to: 'enterEmail',
    },
    enterEmail: {
      kind: 'input',
      text: text('enterEmail'),
      into: 'email',
      parse: parseEmail(text('emailForm')),
      to: 'choosePin',
    },
    choosePin: choosePinScreen(kit, 'choosePin', 'repeatPin'),
    repeatPin: repeatPinScreen(kit, 'createAccount'),
    createAccount: {
      kind: 'action',
      effect: 'read',
      run: context => makeAccount(kit, context),
      leadsTo: ['accountCreated'],
    },
    accountCreated: {
      kind: 'menu',
      back: false,
      text: text('accountCreated'),
      options: [{ label: text('goOn'), to: 'myAccount' }],
    },
  }
}

const makeAccount = async (
  { customers }: MenuKit,
  { phoneNumber, values, secrets }: ActionContext,
): Promise<ActionResult> => {
  const { name, email } = values
  const { customer, write } = await customers.draft({
    name: String(name),
    pin: secrets.newPin ?? '',
    phoneNumber,
    ...(typeof email === 'string' ? { email } : {}),
  })
  return {
    to: 'accountCreated',
    customerId: customer.id,
    values: { customerId: customer.id, name: null, email: null },
    write,
  }
}
