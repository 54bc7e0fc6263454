import { expect, it } from 'vitest'
import { createFlowMachine } from './create-flow-machine.ts'
import { defineFlow } from './define-flow.ts'
import { driveFlow, facts } from './drive-flow.test.helper.ts'
import type { ActionScreen } from './flow.ts'

const run: ActionScreen['run'] = async () => ({ to: 'home' })

const flow = defineFlow({
  start: 'home',
  languages: [
    { code: 'en', name: 'English' },
    { code: 'fr', name: 'Français' },
  ],
  values: { balance: { longest: 6 } },
  screens: {
    home: {
      kind: 'menu',
      text: 'Home',
      options: [
        { label: 'Balance', to: 'readBalance' },
        { label: 'Send', to: 'amount' },
        { label: 'Try', to: 'attempt' },
        { label: 'Loop', to: 'loop' },
        { label: 'Log in', to: 'pin' },
      ],
    },
    readBalance: { kind: 'action', effect: 'read', run, leadsTo: ['balance', 'home'] },
    balance: { kind: 'message', text: 'You have {balance}.' },
    amount: {
      kind: 'input',
      text: 'How much?',
      into: 'amount',
      parse: typed => ({ value: Number(typed) }),
      to: 'sendPin',
    },
    sendPin: { kind: 'secret', text: 'PIN?', into: 'pin', to: 'sure' },
    sure: { kind: 'confirm', text: 'Send it?', yes: 'send', no: 'home' },
    send: { kind: 'action', effect: 'write', run, late: 'Sending...', leadsTo: ['sent', 'sendPin'] },
    sent: { kind: 'message', text: 'Sent.' },
    attempt: { kind: 'action', effect: 'idempotent', run, failed: 'sorry', leadsTo: ['sent', 'exit'] },
    sorry: { kind: 'message', text: 'Sorry about that.' },
    loop: { kind: 'action', effect: 'read', run, leadsTo: ['loop'] },
    pin: { kind: 'secret', text: 'PIN?', into: 'pin', to: 'signIn' },
    signIn: { kind: 'action', effect: 'read', run, leadsTo: ['account', 'pin'] },
    account: { kind: 'menu', text: 'Account', options: [{ label: 'Balance', to: 'readBalance' }] },
  },
})

it('returns the action to run, and shows its target, with the values it set', () => {
  const session = driveFlow(flow)
  expect(session.type('1')).toBe('RUN')
  expect(session.step).toMatchObject({ kind: 'run', action: { effect: 'read' }, state: { screen: 'readBalance' } })
  expect(session.end({ to: 'balance', values: { balance: 1234.5 } })).toBe('You have 1234.5.\n0. Back\n*. Exit')
  expect(session.type('0')).toMatch(/^Home/)
})

it('shows any result of an action on one line, shortened', () => {
  const session = driveFlow(flow)
  session.type('1')
  expect(session.end({ to: 'balance', values: { balance: 'a\n1\u0000\u202e€€€€' } })).toMatch(/^You have a 1\.\.\.\.\n/)
  session.type('0')
  session.type('1')
  expect(session.end({ to: 'balance', values: { balance: { a: 1 } } })).toMatch(/^You have \{"\.\.\.\.\n/)
})

it('deletes a value set to null', () => {
  const session = driveFlow(flow)
  session.type('1')
  session.end({ to: 'balance', values: { balance: 5, other: 'x' } })
  session.type('0*1')
  session.end({ to: 'balance', values: { balance: null } })
  expect(session.state.values).toEqual({ other: 'x' })
})

it('changes the language, to one of the flow', () => {
  const session = driveFlow(flow)
  session.type('1')
  expect(session.end({ to: 'balance', language: 'fr' })).toMatch(/0\. Retour/)
  session.type('0')
  session.type('1')
  session.end({ to: 'balance', language: 'tlh' })
  expect(session.state.language).toBe('fr')
})

it('deletes secrets once the action has ended, and the way back to their question', () => {
  const session = driveFlow(flow)
  session.type('2')
  session.type('100')
  session.type('4711')
  expect(session.type('1')).toBe('RUN')
  expect(session.state.secrets).toEqual({ pin: '4711' })
  expect(session.end({ to: 'sent' })).toMatch(/^Sent/)
  expect(session.state).toMatchObject({ secrets: {}, trail: ['home'] })
  expect(session.type('0')).toMatch(/^Home/)
})

it('leads back to the question before the secret if the action failed', () => {
  const session = driveFlow(flow)
  session.type('2')
  session.type('100')
  session.type('4711')
  session.type('1')
  expect(session.end({ kind: 'failed' })).toBe('That did not work. Please try again later.\n0. Back\n*. Exit')
  expect(session.state.secrets).toEqual({})
  expect(session.again()).toMatch(/^That did not work/)
  expect(session.type('1')).toMatch(/^That is not an option/)
  expect(session.type('0')).toMatch(/^How much/)
})

it('reports an unknown outcome, and leads back to the menu only', () => {
  const session = driveFlow(flow)
  session.type('2')
  session.type('100')
  session.type('4711')
  session.type('1')
  expect(session.end({ kind: 'unknown' })).toMatch(/^We could not tell/)
  expect(session.type('0')).toMatch(/^Home/)
})

it('leads to the failure target of the action', () => {
  const session = driveFlow(flow)
  session.type('3')
  expect(session.end({ kind: 'failed' })).toMatch(/^Sorry about that/)
  session.type('0')
  session.type('3')
  expect(session.end({ to: 'exit' })).toBe('END Thank you. Goodbye.')
})

it('asks for a secret again if the action leads back to it', () => {
  const session = driveFlow(flow)
  session.type('5')
  session.type('0000')
  expect(session.end({ to: 'pin' })).toBe('PIN?\n0. Back\n*. Exit')
  expect(session.state).toMatchObject({ secrets: {}, trail: ['home'] })
})

it('removes the way back after a sign-in or sign-out: 0 leads to the start', () => {
  const session = driveFlow(flow)
  session.type('5')
  session.type('4711')
  session.end({ to: 'account', customerId: '123456782' })
  expect(session.state).toMatchObject({ customerId: '123456782', trail: [] })
  session.type('1')
  session.end({ to: 'home', customerId: null })
  expect(session.state.customerId).toBeUndefined()
  expect(session.state.trail).toEqual([])
})

it('reports that an action is late, and 1 checks again', () => {
  const machine = createFlowMachine(flow)
  const session = driveFlow(flow)
  session.type('2')
  session.type('100')
  session.type('4711')
  session.type('1')
  expect(machine.late(session.state, facts).text).toBe('Sending...\n1. Check\n*. Exit')
  expect(session.type('0')).toMatch(/^That is not an option[\s\S]*Sending/)
  expect(session.type('1')).toBe('RUN')
  expect(session.state.secrets).toEqual({ pin: '4711' })
  expect(session.type('1*1')).toBe('RUN')
  expect(session.type('*')).toBe('END Thank you. Goodbye.')
  expect(session.state.secrets).toEqual({})
})

it('leaves a late reading action by 0', () => {
  const machine = createFlowMachine(flow)
  const session = driveFlow(flow)
  session.type('1')
  expect(machine.late(session.state, facts).text).toBe(
    'This takes a little longer. Reply 1 to check.\n1. Check\n0. Back\n*. Exit',
  )
  expect(session.type('0')).toMatch(/^Home/)
})

it('runs at most eight actions between two screens', () => {
  const session = driveFlow(flow)
  session.type('4')
  for (let runs = 1; runs < 8; runs += 1) expect(session.end({ to: 'loop' })).toBe('RUN')
  expect(session.end({ to: 'loop' })).toMatch(/^That did not work/)
  expect(session.type('0')).toMatch(/^Home/)
})

it('throws if an action leads to an unknown screen', () => {
  const session = driveFlow(flow)
  session.type('1')
  expect(() => session.end({ to: 'nowhere' })).toThrow(expect.objectContaining({ code: 'flow_invalid' }))
})

it('may begin with a reading action', () => {
  const session = driveFlow({ ...flow, start: 'readBalance' })
  expect(session.shown).toBe('RUN')
  expect(session.end({ to: 'balance' })).toBe('You have .\n0. Back\n*. Exit')
})
