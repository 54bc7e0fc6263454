import type { ActionContext, ActionResult, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'
import { action, menu, message } from './menu-screens.ts'

/** Returns the menu of signed-in callers, their profile, and the sign-out. */
export const myAccountMenu = (kit: MenuKit): Record<string, Screen> => ({
  myAccount: menu(
    kit,
    'myAccount',
    {
      ask: 'enterQuestion',
      lastAnswer: 'lastAnswer',
      ...(kit.claims ? { report: 'enterReport' } : {}),
      profile: 'readProfile',
      language: 'chooseLanguage',
      changePin: 'enterOldPin',
      logOut: 'logOut',
    },
    'preMenu',
  ),
  readProfile: action(kit, readProfile, ['profile', 'signInAgain']),
  profile: message(kit, 'profileText', 'myAccount'),
  logOut: action(kit, logOut, ['loggedOut']),
  loggedOut: menu(kit, 'loggedOut', { mainMenu: 'preMenu' }, false),
})

const readProfile = async ({ customers }: MenuKit, { customerId }: ActionContext): Promise<ActionResult> => {
  const customer = customerId === undefined ? undefined : await customers.find(customerId)
  if (!customer) return { to: 'signInAgain', customerId: null }
  const { id, name, email, phoneNumber } = customer
  return { to: 'profile', values: { customerId: id, name, email: email ?? '-', phone: phoneNumber } }
}

const logOut = async (_kit: MenuKit, { values }: ActionContext): Promise<ActionResult> => ({
  to: 'loggedOut',
  customerId: null,
  values: Object.fromEntries(Object.keys(values).map(name => [name, null])),
})
