import type { ActionContext, ActionResult, MenuOption, Screen } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'

/** The menu of those who are signed in, their profile, and logging out. */
export const myAccountMenu = (kit: MenuKit): Record<string, Screen> => {
  const { text } = kit
  const reporting: MenuOption[] = kit.claims ? [{ label: text('report'), to: 'enterReport' }] : []
  return {
    myAccount: {
      kind: 'menu',
      back: 'preMenu',
      text: text('myAccount'),
      options: [
        { label: text('ask'), to: 'enterQuestion' },
        { label: text('lastAnswer'), to: 'lastAnswer' },
        ...reporting,
        { label: text('profile'), to: 'readProfile' },
        { label: text('language'), to: 'chooseLanguage' },
        { label: text('changePin'), to: 'enterOldPin' },
        { label: text('logOut'), to: 'logOut' },
      ],
    },
    readProfile: {
      kind: 'action',
      effect: 'read',
      run: context => readProfile(kit, context),
      leadsTo: ['profile', 'signInAgain'],
    },
    profile: { kind: 'message', back: 'myAccount', text: text('profileText') },
    logOut: {
      kind: 'action',
      effect: 'read',
      run: async ({ values }) => ({ to: 'loggedOut', customerId: null, values: forgetAll(values) }),
      leadsTo: ['loggedOut'],
    },
    loggedOut: {
      kind: 'menu',
      back: false,
      text: text('loggedOut'),
      options: [{ label: text('mainMenu'), to: 'preMenu' }],
    },
  }
}

const readProfile = async ({ customers }: MenuKit, { customerId }: ActionContext): Promise<ActionResult> => {
  const customer = customerId === undefined ? undefined : await customers.find(customerId)
  if (!customer) return { to: 'signInAgain', customerId: null }
  const { id, name, email, phoneNumber } = customer
  return { to: 'profile', values: { customerId: id, name, email: email ?? '-', phone: phoneNumber } }
}

const forgetAll = (values: ActionContext['values']): Record<string, null> =>
  Object.fromEntries(Object.keys(values).map(name => [name, null]))
