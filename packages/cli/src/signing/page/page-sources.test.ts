import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readLink } from './computer.ts'
import { abilityWords, clockProblem, clockWords, momentWords, spanWords } from './plain-words.ts'

const folder = new URL('.', import.meta.url)
const scripts = readdirSync(folder).filter(name => name.endsWith('.ts') && !name.includes('.test.'))

test('no script turns text into HTML, styles or scripts, or navigates elsewhere', () => {
  expect(scripts.length).toBeGreaterThan(10)
  for (const name of scripts) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    expect([name, text]).toEqual([
      name,
      expect.not.stringMatching(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b|new Function|srcdoc|document\.cookie|sessionStorage|['"`](style|href|src)['"`]|\.style\b|https?:\/\//,
      ),
    ])
  }
})

test('nothing in the page requires a secure context', () => {
  for (const name of scripts) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    expect([name, text]).toEqual([name, expect.not.stringMatching(/crypto\.subtle|randomUUID|clipboard|serviceWorker/)])
  }
})

test.each([
  ['/AAAAAAAAAAA', '#abcdefghijklmnopqrstuv', true],
  ['/AAAAAAAAAAA', '', false],
  ['/AAAAAAAAAAA', '#abcdefghijklmnopqrstu', false],
  ['/AAAAAAAAAAA', '#abcdefghijklmnopqrstuv=', false],
  ['/AAAAAAAAAAA/', '#abcdefghijklmnopqrstuv', false],
  ['/', '#abcdefghijklmnopqrstuv', false],
])('the link %s%s is complete: %s', (pathname, hash, isWhole) => {
  expect(readLink({ origin: 'http://192.168.1.5:4180', pathname, hash }) !== undefined).toBe(isWhole)
})

test('shows facts in plain language', () => {
  expect([60, 90, 2_700, 3_600, 5_400, 43_200, 172_800, 7_776_000].map(spanWords)).toEqual([
    '1 minute',
    '2 minutes',
    '45 minutes',
    '60 minutes',
    '2 hours',
    '12 hours',
    '2 days',
    '90 days',
  ])
  expect([300, 299.9, 61, 9, 0].map(clockWords)).toEqual(['5:00', '4:59', '1:01', '0:09', '0:00'])
  expect(abilityWords('entities/*')).toBe('Register, read and change entities')
  expect(abilityWords('auth/impersonate')).toBe('Act as you at')
  expect(['entities/delete', 'toString', '__proto__'].map(abilityWords)).toEqual([undefined, undefined, undefined])
  expect(momentWords(1_795_336_541)).toContain('2026')
})

test('reports differing clocks, and when the grant ends by the clock of the phone', () => {
  expect(clockProblem(1_000_000, 1_043_200, 1_000_300)).toBeUndefined()
  expect(clockProblem(1_000_000, 1_043_200, 1_000_000 - 30 * 86_400)).toBe(
    'The clocks of the computer and of this phone differ by 30 days. By this phone it ends in 31 days.',
  )
  expect(clockProblem(1_000_000, 1_043_200, 1_050_000)).toContain(
    'differ by 14 hours. By this phone it has already expired.',
  )
})
