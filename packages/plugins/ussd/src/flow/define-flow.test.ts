import { expect, expectTypeOf, it } from 'vitest'
import { ussdErrors } from '../errors/ussd-errors.ts'
import { defineFlow } from './define-flow.ts'
import type { ActionScreen, Flow, Screen } from './flow.ts'

const message = (text = 'Words.'): Screen => ({ kind: 'message', text })
const problemsOf = (flow: unknown): readonly string[] => {
  try {
    defineFlow(flow as Flow)
  } catch (error) {
    if (ussdErrors.flow_invalid.is(error)) return error.facts.problems as readonly string[]
    throw error
  }
  return []
}
const flow = (parts: Partial<Flow>): Flow => ({ start: 'a', screens: { a: message() }, ...parts })

it('returns a valid flow', () => {
  const sound = flow({})
  expect(defineFlow(sound)).toBe(sound)
})

it('names every problem at once, each with its place', () => {
  const faulty = flow({
    start: 'b',
    screens: { a: { kind: 'menu', text: 'Hello {name}', options: [{ label: 'On', to: 'c' }] } },
  })
  expect(() => defineFlow(faulty)).toThrow(
    expect.objectContaining({
      code: 'flow_invalid',
      message: [
        'The USSD flow has 3 problems:',
        '  start: no screen is called "b"',
        "  screens.a.text: {name} is not declared; add it to the flow's values with its longest length",
        '  screens.a.options[0].to: no screen is called "c"',
      ].join('\n'),
    }),
  )
})

const run: ActionScreen['run'] = async () => ({ to: 'a' })

it.each<[string, Partial<Flow>, string[]]>([
  [
    'a menu without options',
    { screens: { a: { kind: 'menu', text: 'x', options: [] } } },
    ['screens.a.options: a menu needs at least one'],
  ],
  [
    'a screen called exit',
    { screens: { a: message(), exit: message() } },
    ['screens.exit: that name stands for the end of the session; choose another'],
  ],
  [
    'a name that is none',
    { screens: { a: message(), 'b c': message() } },
    ['screens.b c: "b c" is not a name: a letter, then letters, digits, "_" and "-", at most 64 in all'],
  ],
  [
    'a target that an object has by nature',
    { screens: { a: { kind: 'menu', text: 'x', options: [{ label: 'y', to: 'toString' }] } } },
    ['screens.a.options[0].to: no screen is called "toString"'],
  ],
  [
    'targets of a confirmation',
    { screens: { a: { kind: 'confirm', text: 'x', yes: 'b', no: 'c' } } },
    ['screens.a.yes: no screen is called "b"', 'screens.a.no: no screen is called "c"'],
  ],
  [
    'targets of an action',
    {
      screens: {
        a: message(),
        b: { kind: 'action', effect: 'read', run, leadsTo: ['c'], failed: 'd', timeLimitMs: 0 },
      },
    },
    [
      'screens.b.failed: no screen is called "d"',
      'screens.b.leadsTo[0]: no screen is called "c"',
      'screens.b.timeLimitMs: must be a whole number of milliseconds above 0, is 0',
    ],
  ],
  [
    'an action that leads nowhere',
    { screens: { a: message(), b: { kind: 'action', effect: 'read', run, leadsTo: [] } } },
    ['screens.b.leadsTo: name every screen that run may lead to'],
  ],
  [
    'an effect at the start',
    { screens: { a: { kind: 'action', effect: 'write', run, leadsTo: ['exit'] } } },
    ['start: "a" is an action with an effect, which a dial alone must not have; begin with a screen'],
  ],
  [
    'a way back to nowhere',
    { screens: { a: { ...message(), back: 'b' } } },
    ['screens.a.back: no screen is called "b"'],
  ],
  ['no words', { screens: { a: message(' ') } }, ['screens.a.text: has no words']],
  ['a control character', { screens: { a: message('a\u0007') } }, ['screens.a.text: holds a control character']],
  ['no languages', { languages: [] }, ['languages: name at least one']],
  [
    'a language twice',
    {
      languages: [
        { code: 'en', name: 'English' },
        { code: 'en', name: 'English' },
      ],
    },
    ['languages: "en" is there twice'],
  ],
  [
    'a value of no length',
    { values: { x: { longest: 0 } } },
    ['values.x.longest: must be a whole number from 1 to 8000, is 0'],
  ],
  ['a key that is no number', { keys: { back: '#' } }, ['keys.back: must be 1 to 3 digits, is "#"']],
  ['a key that is taken', { keys: { previous: '0' } }, ['keys.previous: "0" is the key of back already']],
])('rejects %s', (_, parts, problems) => {
  expect(problemsOf(flow(parts))).toEqual(problems)
})

it('does not allow a secret to be shown', () => {
  const leaking = flow({
    values: { pin: { longest: 4 } },
    screens: {
      a: { kind: 'secret', text: 'PIN?', into: 'pin', to: 'b' },
      b: { kind: 'input', text: '{pin}', into: 'pin', parse: value => ({ value }), to: 'a' },
    },
  })
  expect(problemsOf(leaking)).toEqual([
    'screens.b.into: "pin" is the name of a secret; choose another',
    'values.pin: is the name of a secret, which no screen may show',
  ])
})

it('requires all shared texts in a language that is not bundled', () => {
  const chewa = { languages: [{ code: 'ny', name: 'Chichewa' }] }
  const problems = problemsOf(flow(chewa))
  expect(problems).toHaveLength(13)
  expect(problems[0]).toBe('words.exit: says nothing in "ny", for which no words are bundled')
  const words = Object.fromEntries(
    problems.map(problem => [problem.slice('words.'.length, problem.indexOf(':')), { ny: 'Mawu' }]),
  )
  expect(problemsOf(flow({ ...chewa, words }))).toEqual([])
})

it('unknown targets are compiler errors', () => {
  const screens = { a: message() }
  // @ts-expect-error no screen is called b
  expect(() => defineFlow({ start: 'b', screens: { a: { kind: 'message', text: 'x' } } })).toThrow(
    expect.objectContaining({ code: 'flow_invalid' }),
  )
  expect(() =>
    defineFlow({
      start: 'a',
      // @ts-expect-error no screen is called c
      screens: { a: { kind: 'menu', text: 'x', options: [{ label: 'y', to: 'c' }] } },
    }),
  ).toThrow(expect.objectContaining({ code: 'flow_invalid' }))
  const typed = defineFlow({
    start: 'a',
    screens: {
      ...screens,
      b: { kind: 'confirm', text: 'x', yes: 'a', no: 'exit' },
      c: {
        kind: 'input',
        text: 'x',
        into: 'y',
        parse: typed => ({ value: typed.length }),
        to: ({ values }) => (values.y ? 'a' : 'b'),
      },
    },
  })
  expectTypeOf(typed).toEqualTypeOf<Flow>()
})
