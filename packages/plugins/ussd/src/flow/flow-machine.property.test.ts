import { expect, it } from 'vitest'
import { fits, standardLimits } from '../text/measure.ts'
import { hostileWords, seededRandom } from '../text/random.test.helper.ts'
import { createFlowMachine } from './create-flow-machine.ts'
import { defineFlow } from './define-flow.ts'
import { facts } from './drive-flow.test.helper.ts'
import type { ActionOutcome, FlowState, FlowStep } from './flow-machine.ts'
import { longestTrail } from './flow-trail.ts'

const random = seededRandom(3)
const words = () => random.list(30, () => random.pick(hostileWords)).join(' ')
const secret = 'hidden4711secret'

const flow = defineFlow({
  start: 'home',
  languages: [
    { code: 'en', name: 'English' },
    { code: 'sw', name: 'Kiswahili' },
    { code: 'fr', name: 'Français' },
  ],
  values: { name: { longest: 20 }, item: { longest: 150 } },
  screens: {
    home: {
      kind: 'menu',
      text: 'Welcome {name}',
      options: [
        { label: 'Read', to: 'read' },
        { label: 'Name {name}', to: 'name' },
        { label: 'Pick', to: 'pick' },
        { label: 'PIN', to: 'pin' },
        { label: 'Load', to: 'load' },
        { label: 'Member', to: 'exit', when: ({ customerId }) => customerId !== undefined },
        { label: 'End', to: 'end' },
      ],
    },
    read: { kind: 'message', text: ({ values }) => String(values.words ?? '') },
    end: { kind: 'message', ends: true, text: ({ values }) => String(values.words ?? 'x') },
    name: {
      kind: 'input',
      text: 'Your name, not {item}?',
      into: 'name',
      parse: typed => (typed.includes('é') ? { problem: words() || 'No.' } : { value: typed }),
      to: ({ values }) => (values.words ? 'sure' : 'home'),
    },
    sure: { kind: 'confirm', text: '{item}? {name}? {item}?', yes: 'send', no: 'home' },
    pick: {
      kind: 'choice',
      text: 'Which of {item}?',
      items: ({ values }) =>
        String(values.words ?? '')
          .split(' ')
          .map(label => ({ label, value: label })),
      empty: 'None.',
      into: 'item',
      to: 'sure',
    },
    pin: {
      kind: 'secret',
      text: 'PIN, {name}?',
      into: 'pin',
      check: typed => (typed === 'é' ? 'No.' : undefined),
      to: 'pinAgain',
    },
    pinAgain: { kind: 'secret', text: 'PIN again?', into: 'again', to: 'send' },
    load: {
      kind: 'action',
      effect: 'read',
      run: async () => ({ to: 'read' }),
      leadsTo: ['read', 'pick', 'load', 'send'],
    },
    send: {
      kind: 'action',
      effect: 'write',
      run: async () => ({ to: 'home' }),
      failed: 'home',
      leadsTo: ['home', 'end'],
    },
  },
})
const machine = createFlowMachine(flow)

const someOutcome = (): ActionOutcome => {
  const ended = random.number(4)
  if (ended === 0) return { kind: random.pick(['failed', 'unknown'] as const) }
  return {
    kind: 'done',
    result: {
      to: random.pick(['home', 'read', 'pick', 'load', 'send', 'end', 'name', 'pin']),
      values: { words: random.number(3) === 0 ? null : words() },
      language: random.pick(['en', 'sw', 'fr', 'xx']),
      ...(random.number(3) === 0 ? { customerId: random.pick([null, '123456782']) } : {}),
    },
  }
}

const someInput = (): string => {
  const answers = [
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '0',
    '98',
    '99',
    '*',
    '',
    secret,
    '1*1',
    '3*2*1',
    '４',
    '2**',
    '5*1*2',
  ]
  return random.number(6) === 0 ? random.pick(hostileWords) : random.pick(answers)
}

const problemsOf = (state: FlowState): string[] => [
  ...(Object.hasOwn(flow.screens, state.screen) ? [] : [`screen ${state.screen}`]),
  ...(Number.isInteger(state.page) && state.page >= 0 ? [] : [`page ${state.page}`]),
  ...(state.trail.length <= longestTrail ? [] : ['trail too long']),
  ...state.trail.filter(name => !Object.hasOwn(flow.screens, name) || name === 'load' || name === 'send'),
  ...(new Set(state.trail).size === state.trail.length ? [] : ['trail with a loop']),
  ...(machine.languages.includes(state.language) ? [] : [`language ${state.language}`]),
  ...(JSON.stringify(JSON.parse(JSON.stringify(state))) === JSON.stringify(state) ? [] : ['not JSON']),
]

it('keeps its order and limits, and shows no secret, for any input', () => {
  let moves = 0
  for (let session = 0; session < 150; session += 1) {
    const limits = random.pick([standardLimits, { gsm7: 160, ucs2: 70 }, { gsm7: 20, ucs2: 10 }])
    const reported = { ...facts, limits }
    let step: FlowStep = machine.begin(reported, { language: random.pick(['en', 'fr', 'sw', 'zz']) })
    let secretsTyped = false
    for (let move = 0; move < 25; move += 1) {
      const { state } = step
      expect(problemsOf(state)).toEqual([])
      const replies = [machine.show(state, reported), machine.offerResume(state, reported)]
      if (step.kind === 'run') replies.push(machine.late(state, reported))
      else replies.push(step.reply)
      expect(replies.filter(({ text }) => !fits(text, limits))).toEqual([])
      expect(replies.filter(({ text }) => secretsTyped && text.includes('4711'))).toEqual([])
      if (step.kind === 'show' && step.reply.kind === 'end') {
        expect(state.secrets).toEqual({})
        break
      }
      const typed = someInput()
      const asksSecret = flow.screens[state.screen]?.kind === 'secret'
      if (typed === secret && !asksSecret) continue
      if (typed === secret) secretsTyped = true
      step =
        step.kind === 'run' && random.number(3) > 0
          ? machine.afterAction(state, someOutcome(), reported)
          : machine.input(state, typed, reported, random.number(5) > 0)
      moves += 1
    }
  }
  expect(moves).toBeGreaterThan(1000)
})

it('enters no guarded screen by input typed ahead', () => {
  const inputs = () =>
    random.list(6, () => random.pick(['1', '2', '3', '4', '5', '6', '0', '98', secret, ''])).join('*')
  for (let round = 0; round < 2000; round += 1) {
    const { state } = machine.begin(facts, {})
    const step = machine.input({ ...state, values: { words: 'a b c' } }, inputs(), facts, false)
    expect(step.state.secrets).toEqual({})
    expect(step.kind === 'run' ? step.action.effect : 'read').toBe('read')
  }
})
