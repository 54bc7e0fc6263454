import { describe, expect, it } from 'vitest'
import { formatArguments, formatCount, formatDuration, formatSeconds, shortenDid } from './format.ts'

describe('readable numbers', () => {
  it.each([
    [0.4, '0 ms'],
    [184.2, '184 ms'],
    [999.6, '1.0 s'],
    [1_240, '1.2 s'],
    [12_340, '12.3 s'],
    [125_000, '2 m 05 s'],
    [-5, '0 ms'],
  ])('%f ms are %s', (milliseconds, words) => {
    expect(formatDuration(milliseconds)).toBe(words)
  })

  it('show the duration of a turn in seconds', () => {
    expect([210, 9_990, 9_999, 59_990].map(formatSeconds)).toEqual(['0.21 s', '9.99 s', '10.0 s', '1 m 00 s'])
  })

  it('have a matching noun', () => {
    expect([formatCount(1, 'tool'), formatCount(2, 'tool'), formatCount(0, 'step')]).toEqual([
      '1 tool',
      '2 tools',
      '0 steps',
    ])
  })
})

describe('arguments on one line', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)

  it.each([
    [{}, ''],
    [undefined, ''],
    [{ city: 'Berlin', days: 3 }, 'city: Berlin, days: 3'],
    [{ names: ['weather', 'tasks'] }, 'weather, tasks'],
    [{ at: { lat: 1 }, on: true, none: null }, 'at: {"lat":1}, on: true, none: null'],
    ['text', 'text'],
    [{ text: 'two\nlines\u001b[2J' }, 'text: two lines[2J'],
  ])('%j', (input, words) => {
    expect(formatArguments(input)).toBe(words)
  })

  it('may be nested too deeply to be shown', () => {
    expect(typeof formatArguments({ deep })).toBe('string')
  })
})

it('a DID shows its start and end', () => {
  expect(shortenDid('did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH')).toBe('did:key:z6Mkp…ktH')
  expect(shortenDid('did:web:localhost')).toBe('did:web:localhost')
})
