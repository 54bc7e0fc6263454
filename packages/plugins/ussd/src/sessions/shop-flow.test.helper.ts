import type { ActionScreen, Flow } from '../flow/flow.ts'

const waiting: Pick<ActionScreen, 'effect' | 'leadsTo'> = { effect: 'read', leadsTo: ['done'] }

/** Returns a flow with every kind of screen; the test defines its one action. */
export const shopFlow = (action: Partial<ActionScreen> = {}): Flow => ({
  start: 'welcome',
  languages: [
    { code: 'en', name: 'English' },
    { code: 'sw', name: 'Kiswahili' },
  ],
  screens: {
    welcome: {
      kind: 'menu',
      text: { en: 'Welcome', sw: 'Karibu' },
      options: [
        { label: 'Prices', to: 'prices' },
        { label: 'Name', to: 'name' },
        { label: 'Sign in', to: 'pin' },
        { label: 'Work', to: 'work' },
      ],
    },
    prices: {
      kind: 'menu',
      text: 'Prices',
      options: [
        { label: 'Maize', to: 'maize' },
        { label: 'Beans', to: 'beans' },
      ],
    },
    maize: { kind: 'message', text: 'Maize costs 5' },
    beans: { kind: 'message', text: 'Beans cost 9', ends: true },
    name: { kind: 'input', text: 'Your name?', into: 'name', parse: typed => ({ value: typed }), to: 'hello' },
    hello: { kind: 'message', text: 'Hello {name}' },
    pin: { kind: 'secret', text: 'Your PIN?', into: 'pin', to: 'signIn' },
    signIn: {
      kind: 'action',
      effect: 'read',
      run: async ({ secrets }) => (secrets.pin === '2580' ? { to: 'inside', customerId: '123456782' } : { to: 'pin' }),
      leadsTo: ['inside', 'pin'],
    },
    inside: { kind: 'menu', text: 'Signed in', options: [{ label: 'Profile', to: 'profile' }] },
    profile: { kind: 'message', text: 'Your profile' },
    work: { kind: 'action', ...waiting, run: async () => ({ to: 'done' }), ...action },
    done: { kind: 'message', text: 'Done' },
  },
  values: { name: { longest: 20 } },
})
