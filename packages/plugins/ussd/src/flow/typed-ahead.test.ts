import { expect, it } from 'vitest'
import { defineFlow } from './define-flow.ts'
import { driveFlow } from './drive-flow.test.helper.ts'
import type { ActionScreen } from './flow.ts'

const action = (effect: ActionScreen['effect'], to: string) =>
  ({ kind: 'action', effect, run: async () => ({ to }), leadsTo: [to] }) as ActionScreen

const flow = defineFlow({
  start: 'home',
  screens: {
    home: {
      kind: 'menu',
      text: 'Home',
      options: [
        { label: 'Info', to: 'info' },
        { label: 'Name', to: 'name' },
        { label: 'PIN', to: 'pin' },
        { label: 'Sure', to: 'sure' },
        { label: 'Load', to: 'load' },
        { label: 'Pay', to: 'pay' },
        { label: 'Amount', to: 'amount' },
        { label: 'Load, then pay', to: 'loadThenPay' },
      ],
    },
    info: {
      kind: 'menu',
      text: 'Info',
      options: [
        { label: 'Price', to: 'price' },
        { label: 'Pay', to: 'pay' },
      ],
    },
    price: { kind: 'message', text: 'Five.' },
    name: { kind: 'input', text: 'Name?', into: 'name', parse: typed => ({ value: typed }), to: 'named' },
    named: { kind: 'message', text: 'Thanks.' },
    pin: { kind: 'secret', text: 'PIN?', into: 'pin', to: 'inside' },
    inside: { kind: 'message', text: 'Inside.' },
    sure: { kind: 'confirm', text: 'Sure?', yes: 'pay', no: 'home' },
    load: action('read', 'loaded'),
    loaded: { kind: 'menu', text: 'Loaded', options: [{ label: 'Price', to: 'price' }] },
    pay: action('write', 'paid'),
    paid: { kind: 'message', text: 'Paid.' },
    amount: { kind: 'input', text: 'Amount?', into: 'amount', parse: typed => ({ value: typed }), to: 'pay' },
    loadThenPay: action('read', 'pay'),
  },
})

const shownAfter = (typed: string, seen = true) => {
  const session = driveFlow(flow)
  return session.type(typed, seen).split('\n')[0]
}

it.each([
  ['1*1', 'Five.'],
  ['1*0*1*1', 'Five.'],
  ['1*1*0', 'Info'],
  ['2*Mary', 'Thanks.'],
  ['2*Mary*0*1', 'Thanks.'],
  ['2*0', 'Home'],
])('passes %s on from screen to screen: %s', (typed, first) => {
  expect(shownAfter(typed)).toBe(first)
})

it.each([
  ['1**', 'the exit after 1'],
  ['1*1**', 'the exit after two answers'],
  ['*', 'the exit alone'],
  ['**', 'the exit, and a star'],
  ['2**', 'the exit at a free question'],
  ['3**', 'the exit at a secret'],
  ['4**', 'the exit at a confirmation'],
  ['9**', 'the exit after what was no option'],
])('reads %s as %s', typed => {
  expect(shownAfter(typed)).toBe('END Thank you. Goodbye.')
})

it('uses the rest for a free answer', () => {
  const session = driveFlow(flow)
  session.type('2*A**B*1*0')
  expect(session.state).toMatchObject({ screen: 'named', values: { name: 'A**B*1*0' } })
})

it.each([
  ['1*', 'Info'],
  ['*1', 'Info'],
  ['1**1', 'Five.'],
])('reads the empty answer of %s', (typed, first) => {
  expect(shownAfter(typed)).toBe(first)
})

it('stops at an invalid option, and leaves the rest', () => {
  const session = driveFlow(flow)
  expect(session.type('1*7*1')).toMatch(/^That is not an option\. Please try again\.\nInfo/)
})

it('passes nothing into a secret', () => {
  const session = driveFlow(flow)
  expect(session.type('3*4711*1')).toBe('PIN?\n0. Back\n*. Exit')
  expect(session.state.secrets).toEqual({})
  expect(session.type('4711*1')).toMatch(/^Inside/)
})

it('passes nothing into a confirmation', () => {
  const session = driveFlow(flow)
  expect(session.type('4*1')).toMatch(/^Sure\?/)
  expect(session.type('1')).toBe('RUN')
})

it.each(['6*1', '1*2', '7*100', '4*1'])('does not run an action with an effect for %s, typed at once', typed => {
  expect(shownAfter(typed)).toMatch(/^(Home|Info|Amount\?|Sure\?)$/)
})

it('shows the unchanged screen before such an action, and runs it for an answer to that screen', () => {
  const session = driveFlow(flow)
  expect(session.type('7*100')).toBe('Amount?\n0. Back\n*. Exit')
  expect(session.state.values).toEqual({})
  expect(session.type('100*1')).toBe('RUN')
  expect(session.state.values).toEqual({ amount: '100*1' })
})

it('runs a reading action on the way, and passes on the rest', () => {
  const session = driveFlow(flow)
  expect(session.type('5*1')).toBe('RUN')
  expect(session.end({ to: 'loaded' })).toMatch(/^Five\./)
  session.type('0')
  expect(session.state).toMatchObject({ screen: 'loaded', trail: ['home'] })
})

it('prevents a reading action from leading on to one with an effect, if it was passed', () => {
  const session = driveFlow(flow)
  expect(session.type('8*1')).toBe('RUN')
  expect(session.end({ to: 'pay' })).toMatch(/^Home/)
  session.type('8')
  expect(session.end({ to: 'pay' })).toBe('RUN')
})

it('applies to the first answer too if the user has seen nothing', () => {
  expect(shownAfter('6', false)).toBe('Home')
  expect(shownAfter('1', false)).toBe('Info')
  expect(shownAfter('3*4711', false)).toBe('PIN?')
  const session = driveFlow(flow)
  session.type('8', false)
  expect(session.end({ to: 'pay' })).toMatch(/^Home/)
})
