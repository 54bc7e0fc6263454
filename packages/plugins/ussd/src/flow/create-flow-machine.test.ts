import { expect, it } from 'vitest'
import { createFlowMachine } from './create-flow-machine.ts'
import { defineFlow } from './define-flow.ts'
import { driveFlow, facts } from './drive-flow.test.helper.ts'

const flow = defineFlow({
  start: 'home',
  languages: [
    { code: 'en', name: 'English' },
    { code: 'sw', name: 'Kiswahili' },
  ],
  values: { name: { longest: 12 }, stove: { longest: 10 } },
  screens: {
    home: {
      kind: 'menu',
      text: { en: 'Welcome', sw: 'Karibu' },
      options: [
        { label: { en: 'Hours', sw: 'Saa' }, to: 'hours' },
        { label: 'Members only', to: 'hours', when: ({ customerId }) => customerId !== undefined },
        { label: 'Register', to: 'name' },
        { label: 'Stoves', to: 'stoves' },
        { label: 'Leave', to: 'exit' },
        { label: 'Terms', to: 'terms' },
        { label: 'Last words', to: 'last' },
        { label: 'PIN', to: 'pin' },
      ],
    },
    hours: { kind: 'message', text: 'Monday to Friday, 8 to 17.' },
    name: {
      kind: 'input',
      text: 'Your name?',
      into: 'name',
      parse: typed => (typed.length < 2 ? { problem: 'Too short.' } : { value: typed }),
      to: 'sure',
    },
    sure: {
      kind: 'confirm',
      text: 'Register {name}?',
      yes: 'hours',
      no: ({ values }) => (values.name ? 'name' : 'home'),
    },
    stoves: {
      kind: 'choice',
      text: 'Which stove?',
      items: ({ values }) =>
        values.name === 'Nobody'
          ? []
          : Array.from({ length: 120 }, (_, i) => ({ label: `Stove no. ${i + 1}`, value: i })),
      empty: 'There are none.',
      into: 'stove',
      to: 'chosen',
    },
    chosen: { kind: 'message', text: 'Stove {stove} is yours.' },
    terms: { kind: 'message', text: 'Some long terms to read. '.repeat(20) },
    last: { kind: 'message', ends: true, text: 'That was all.' },
    pin: {
      kind: 'secret',
      text: 'Your PIN?',
      into: 'pin',
      check: typed => (/^\d{4}$/.test(typed) ? undefined : 'Four digits.'),
      to: 'pinAgain',
    },
    pinAgain: {
      kind: 'secret',
      text: 'Once more?',
      into: 'again',
      check: (typed, { secrets }) => (secrets.pin === typed ? undefined : 'Not the same.'),
      to: 'hours',
    },
  },
})

it('begins with the start screen, without Back, and numbers only visible options', () => {
  expect(driveFlow(flow).shown).toBe(
    'Welcome\n1. Hours\n2. Register\n3. Stoves\n4. Leave\n5. Terms\n6. Last words\n7. PIN\n*. Exit',
  )
})

it.each([
  ['sw', 'sw', 'Karibu'],
  ['sw-TZ', 'sw', 'Karibu'],
  ['de', 'en', 'Welcome'],
])('for a user of %s the language is %s', (chosen, language, welcome) => {
  const session = driveFlow(flow, { language: chosen })
  expect(session.state.language).toBe(language)
  expect(session.shown.split('\n')[0]).toBe(welcome)
})

it('moves to the option of a number, and back by 0', () => {
  const session = driveFlow(flow)
  expect(session.type('1')).toBe('Monday to Friday, 8 to 17.\n0. Back\n*. Exit')
  expect(session.type('0')).toMatch(/^Welcome/)
  expect(session.state.trail).toEqual([])
})

it.each(['8', '0', '01', 'hours', '', '98', '99', '1.5', '\u0000', '１２'])('shows the menu again above %j', typed => {
  const session = driveFlow(flow)
  expect(session.type(typed)).toMatch(/^That is not an option\. Please try again\.\nWelcome\n1\. Hours/)
  expect(session.again()).toMatch(/^Welcome/)
})

it.each(['１', '١', ' 1 ', '1\u200f'])('reads %j as 1', typed => {
  expect(driveFlow(flow).type(typed)).toMatch(/^Monday/)
})

it.each(['1', '2', '3', '5', '7', '2*Mary'])('ends with goodbye at * after %s', path => {
  const session = driveFlow(flow)
  session.type(path)
  expect(session.type('*')).toBe('END Thank you. Goodbye.')
})

it('ends with goodbye if an option leads to the exit, and with the last text if a message ends', () => {
  expect(driveFlow(flow).type('4')).toBe('END Thank you. Goodbye.')
  expect(driveFlow(flow).type('6')).toBe('END That was all.')
})

it('asks until the answer is valid', () => {
  const session = driveFlow(flow)
  expect(session.type('2')).toBe('Your name?\n0. Back\n*. Exit')
  expect(session.type('M')).toBe('Too short.\nYour name?\n0. Back\n*. Exit')
  expect(session.type('')).toMatch(/^That is not an option/)
  expect(session.type('x'.repeat(183))).toMatch(/^That is not an option/)
  expect(session.type('98')).toBe('Register 98?\n1. Yes\n2. No\n0. Back\n*. Exit')
})

it('accepts a name with a star, and shortens it for display', () => {
  const session = driveFlow(flow)
  session.type('2')
  expect(session.type('Mary**Ann*Jones')).toMatch(/^Register Mary\*\*Ann\.\.\.\?/)
  expect(session.state.values).toEqual({ name: 'Mary**Ann*Jones' })
})

it('shows any value on one line', () => {
  const session = driveFlow(flow)
  session.type('2')
  expect(session.type('A\n1. Yes\u202e')).toBe('Register A 1. Yes?\n1. Yes\n2. No\n0. Back\n*. Exit')
})

it('follows a confirmation by 1 and 2', () => {
  const session = driveFlow(flow)
  session.type('2*Mary')
  expect(session.type('2')).toMatch(/^Your name/)
  session.type('Mary')
  expect(session.type('3')).toMatch(/^That is not an option[\s\S]*Register Mary/)
  expect(session.type('1')).toMatch(/^Monday/)
})

it('pages through a long message, and back leads to the previous screen', () => {
  const session = driveFlow(flow)
  expect(session.type('5')).toMatch(/^Some long[\s\S]*\n0\. Back\n98\. More\n\*\. Exit$/)
  expect(session.type('98')).toMatch(/\n0\. Back\n98\. More\n99\. Previous\n\*\. Exit$/)
  expect(session.type('98')).toMatch(/\n98\. More/)
  expect(session.type('98')).toMatch(/\n0\. Back\n99\. Previous\n\*\. Exit$/)
  expect(session.type('98')).toMatch(/^That is not an option/)
  expect(session.state.page).toBe(3)
  expect(session.type('99')).toMatch(/\n98\. More/)
  expect(session.type('0')).toMatch(/^Welcome/)
})

it('numbers the items of a choice, skipping the keys', () => {
  const session = driveFlow(flow)
  const seen = [session.type('3')]
  while (session.shown.includes('98. More')) seen.push(session.type('98'))
  const lines = seen.join('\n').match(/\d+\. Stove no\. \d+/g)!
  expect(lines).toHaveLength(120)
  expect(lines.slice(95, 99)).toEqual([
    '96. Stove no. 96',
    '97. Stove no. 97',
    '100. Stove no. 98',
    '101. Stove no. 99',
  ])
  expect(session.type('100')).toMatch(/^Stove 97 is yours/)
  expect(session.state.values).toEqual({ stove: 97 })
})

it('reports that a choice is empty', () => {
  const session = driveFlow(flow)
  session.type('2')
  session.type('Nobody')
  session.type('1')
  session.type('0')
  session.type('0')
  session.type('0')
  expect(session.type('3')).toBe('There are none.\n0. Back\n*. Exit')
})

it('stores secrets separately, and deletes them on the way back and at the end', () => {
  const session = driveFlow(flow)
  session.type('7')
  expect(session.type('12')).toBe('Four digits.\nYour PIN?\n0. Back\n*. Exit')
  expect(session.type('4711')).toBe('Once more?\n0. Back\n*. Exit')
  expect(session.state).toMatchObject({ secrets: { pin: '4711' }, values: {} })
  expect(session.type('0')).toBe('Your PIN?\n0. Back\n*. Exit')
  expect(session.state.secrets).toEqual({})
  session.type('4711')
  session.type('*')
  expect(session.state.secrets).toEqual({})
})

it('stores at most 32 screens, and then leads back to the start', () => {
  const names = Array.from({ length: 40 }, (_, index) => `s${index}`)
  const chain = defineFlow({
    start: 's0',
    screens: Object.fromEntries(
      names.map((name, index) => [
        name,
        { kind: 'menu', text: name, options: [{ label: 'On', to: names[(index + 1) % 40]! }] } as const,
      ]),
    ),
  })
  const session = driveFlow(chain)
  for (let index = 0; index < 39; index += 1) session.type('1')
  expect(session.state.trail).toHaveLength(32)
  for (let index = 0; index < 32; index += 1) session.type('0')
  expect(session.shown).toMatch(/^s7\n/)
  expect(session.type('0')).toMatch(/^s0\n/)
  session.type('1')
  for (let index = 0; index < 39; index += 1) session.type('1')
  expect(session.state).toMatchObject({ screen: 's0', trail: [] })
})

it('leads back without loops', () => {
  const on = (to: string, other = 'a') => ({
    kind: 'menu' as const,
    text: `to ${to}`,
    options: [
      { label: 'On', to },
      { label: 'Other', to: other },
    ],
  })
  const session = driveFlow({ start: 'a', screens: { a: on('b'), b: on('c'), c: on('d', 'b'), d: on('a', 'c') } })
  session.type('1*1*1')
  session.type('2*2')
  expect(session.state).toMatchObject({ screen: 'b', trail: ['a'] })
  expect(session.type('0')).toMatch(/^to b/)
})

it('leads back to the named screen', () => {
  const closed = defineFlow({
    start: 'a',
    screens: {
      a: { kind: 'menu', text: 'a', options: [{ label: 'b', to: 'b' }] },
      b: { kind: 'menu', text: 'b', options: [{ label: 'c', to: 'c' }] },
      c: { kind: 'menu', text: 'c', back: 'a', options: [{ label: 'd', to: 'd' }] },
      d: { kind: 'message', text: 'd', back: false },
    },
  })
  const session = driveFlow(closed)
  session.type('1*1')
  expect(session.type('0')).toMatch(/^a\n/)
  session.type('1*1')
  expect(session.type('1')).toBe('d\n*. Exit')
  expect(session.type('0')).toMatch(/^That is not an option/)
})

it('accepts custom keys, which are not option numbers', () => {
  const session = driveFlow({
    ...flow,
    keys: { back: '3', more: '00', previous: '9' },
    words: { back: 'Return', notAnOption: 'No.' },
  })
  expect(session.shown).toMatch(/\n2\. Register\n4\. Stoves/)
  expect(session.type('5')).toMatch(/^END/)
  const reading = driveFlow({ ...flow, keys: { back: '3', more: '00', previous: '9' } })
  expect(reading.type('6')).toMatch(/\n3\. Back\n00\. More/)
  reading.type('00')
  expect(reading.type('9')).toMatch(/^Some long/)
  expect(reading.type('3')).toMatch(/^Welcome/)
})

it('begins again if the flow no longer has the screen of a session', () => {
  const machine = createFlowMachine(flow)
  const state = { screen: 'gone', page: 3, trail: ['gone'], values: {}, secrets: { pin: '1' }, language: 'sw' }
  const step = machine.input(state, '1', facts)
  expect(step).toMatchObject({ kind: 'show', state: { screen: 'home', secrets: {}, language: 'sw' } })
})

it('offers to continue', () => {
  const machine = createFlowMachine(flow)
  const { state } = machine.begin(facts, { language: 'sw' })
  expect(machine.offerResume(state, facts)).toEqual({
    kind: 'continue',
    text: 'Simu yako ilikatika. Unataka kuendelea ulipoishia?\n1. Ndiyo\n2. Hapana\n*. Ondoka',
  })
})

it('names the screen whose computed target does not exist', () => {
  const lost = defineFlow({
    start: 'a',
    screens: { a: { kind: 'menu', text: 'a', options: [{ label: 'b', to: () => 'nowhere' as 'a' }] } },
  })
  expect(() => driveFlow(lost).type('1')).toThrow(
    expect.objectContaining({
      code: 'flow_invalid',
      facts: { problems: ['screens.a: leads to "nowhere", and there is no such screen'] },
    }),
  )
})
