import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, choosePinScreen, input, menu, parseEmail, parseName, repeatPinScreen } from './menu-screens.ts'

/**
 * Creates the screens of a new account: name, email, PIN twice. They then show the customer ID and sign the caller in.
 */
export const createAccount = (kit: MenuKit): Record<string, Screen> => ({
  enterName: input(kit, 'enterName', { into: 'name', parse: parseName, problem: 'nameForm', to: 'enterEmail' }),
  enterEmail: input(kit, 'enterEmail', { into: 'email', parse: parseEmail, problem: 'emailForm', to: 'choosePin' }),
  choosePin: choosePinScreen(kit, 'choosePin', 'repeatPin'),
  repeatPin: repeatPinScreen(kit, 'createAccount'),
  createAccount: action(kit, makeAccount, ['accountCreated']),
  accountCreated: menu(kit, 'accountCreated', { goOn: 'myAccount' }, false),
})

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
