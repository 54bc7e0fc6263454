import { expect, it } from 'vitest'
import { defineFlow } from './define-flow.ts'
import { driveFlow } from './drive-flow.test.helper.ts'
import type { Flow } from './flow.ts'

const question = (text: string, problem: string): Flow =>
  defineFlow({
    start: 'home',
    screens: {
      home: { kind: 'menu', text: 'Home', options: [{ label: 'Ask', to: 'ask' }] },
      ask: { kind: 'input', text, into: 'x', parse: () => ({ problem }), to: 'home' },
    },
  })

const asked = (text: string, problem = 'No.') => {
  const session = driveFlow(question(text, problem))
  return { question: session.type('1'), refused: session.type('x') }
}

it.each([
  [166, '\n0. Back\n*. Exit'],
  [167, '\n*. Exit'],
  [174, '\n*. Exit'],
  [175, ''],
  [182, ''],
])('a question of %i characters keeps its text rather than the names of its keys: %j', (length, keys) => {
  expect(asked('q'.repeat(length)).question).toBe('q'.repeat(length) + keys)
})

it('shortens a question that no message can hold', () => {
  expect(asked('q'.repeat(183)).question).toBe(`${'q'.repeat(179)}...`)
})

it.each([
  [100, 20, 'both, with the keys'],
  [140, 33, 'both, with Exit'],
  [140, 41, 'both, alone'],
  [140, 42, 'the problem alone'],
  [10, 200, 'the problem alone'],
])('a question of %i characters with a problem of %i shows %s', (length, problem, shown) => {
  const words = ['q'.repeat(length), 'p'.repeat(problem)] as const
  const { refused } = asked(...words)
  const lines = refused.split('\n')
  expect(refused.length).toBeLessThanOrEqual(182)
  expect(lines[0]).toBe(problem === 200 ? `${'p'.repeat(179)}...` : words[1])
  expect(lines.includes(words[0])).toBe(shown.startsWith('both'))
  expect(lines.includes('0. Back')).toBe(shown === 'both, with the keys' || problem === 42)
  expect(lines.includes('*. Exit')).toBe(shown.includes('with') || problem === 42)
})

const menu = (text: string, options: number): Flow =>
  defineFlow({
    start: 'home',
    values: { name: { longest: 20 } },
    screens: {
      home: {
        kind: 'menu',
        text,
        options: Array.from({ length: options }, (_, index) => ({ label: `Option ${index + 1}`, to: 'ask' })),
      },
      ask: { kind: 'input', text: 'Name?', into: 'name', parse: value => ({ value }), to: 'home' },
    },
  })

it('replaces the text above the options with the notice if both do not fit', () => {
  const session = driveFlow(menu('Please choose one of these:', 10))
  expect(session.shown).toHaveLength(27 + 9 * 12 + 14 + 8)
  expect(session.type('x')).toBe(
    session.shown.replace('Please choose one of these:', 'That is not an option. Please try again.'),
  )
})

it('omits the notice if not even that fits', () => {
  const session = driveFlow(menu('Choose:', 12))
  const screen = session.shown
  expect(screen).toHaveLength(7 + 9 * 12 + 3 * 14 + 8)
  expect(session.type('x')).toBe(screen)
})

it('omits the notice if it would replace a text to read', () => {
  const reading = defineFlow({
    start: 'home',
    screens: {
      home: { kind: 'menu', text: 'Home', options: [{ label: 'Read', to: 'terms' }] },
      terms: { kind: 'message', text: 'word '.repeat(100) },
    },
  })
  const session = driveFlow(reading)
  const page = session.type('1')
  expect(session.type('5')).toBe(page)
})

it('counts a page with a name in another script as UCS-2', () => {
  const session = driveFlow(menu('{name}, choose:', 5))
  expect(session.shown.split('\n')).toHaveLength(7)
  session.type('1')
  expect(session.type('مريم')).toBe(
    'مريم, choose:\n1. Option 1\n2. Option 2\n3. Option 3\n4. Option 4\n98. More\n*. Exit',
  )
  expect(session.type('98')).toBe('5. Option 5\n99. Previous\n*. Exit')
  expect(session.type('5')).toMatch(/^Name\?/)
})

it('stays within the limits of a narrow network', () => {
  const session = driveFlow(menu('Please choose one of these:', 10), { facts: { limits: { gsm7: 100, ucs2: 50 } } })
  const pages = [session.shown]
  while (session.shown.includes('98. More')) pages.push(session.type('98'))
  expect(pages.map(page => page.length).filter(length => length > 100)).toEqual([])
  expect(pages.join('\n').match(/Option \d+/g)).toHaveLength(10)
})
