import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OfflineCatalogEntry, OfflineTool } from './offline-catalog.ts'
import { startOracle } from './sample-oracle.test.support.ts'

const library: OfflineCatalogEntry = {
  name: 'library',
  mode: 'always',
  manifest: {
    title: 'Tool library',
    summary: 'Tools that neighbors lend to each other.',
    whenToUse: ['someone lends or returns a tool'],
    examples: [
      {
        user: 'Lend the {tool} to {person}',
        tool: 'lend_tool',
        args: { tool: '{tool}', person: '{person}' },
        answer: 'Lent the {tool} to {person}.',
      },
      { user: 'Store {count} of {kinds}', tool: 'store', args: { count: '{count}', kinds: '{kinds}' } },
      { user: 'Due {thing} on {date}', tool: 'set_due', args: { thing: '{thing}', date: '{date}' } },
      { user: 'Mark {thing} as {state}', tool: 'mark', args: { thing: '{thing}', state: '{state}' } },
      { user: 'Owner of {thing} becomes {did}', tool: 'own', args: { thing: '{thing}', did: '{did}' } },
      {
        user: 'Place {thing} at {latitude} by {longitude}',
        tool: 'place',
        args: { thing: '{thing}', latitude: '{latitude}', longitude: '{longitude}' },
      },
      {
        user: 'Remind me in {minutes} minutes to {thing}',
        tool: 'hold',
        args: { thing: '{thing}', minutes: '{minutes}' },
      },
      { user: 'Where is the {tool}?', tool: 'find_tool', args: { tool: '{tool}' } },
    ],
  },
  tools: [
    { name: 'lend_tool', effect: 'write', input: z.object({ tool: z.string(), person: z.string() }) },
    { name: 'store', effect: 'write', input: z.object({ count: z.number(), kinds: z.array(z.string()) }) },
    { name: 'set_due', effect: 'write', input: z.object({ thing: z.string(), date: z.string() }) },
    { name: 'mark', effect: 'write', input: z.object({ thing: z.string(), state: z.enum(['good', 'broken']) }) },
    { name: 'own', effect: 'write', input: z.object({ thing: z.string(), did: z.string() }) },
    {
      name: 'place',
      effect: 'write',
      input: z.object({ thing: z.string(), latitude: z.number(), longitude: z.number() }),
    },
    { name: 'hold', effect: 'write', input: z.object({ thing: z.string(), minutes: z.number() }) },
    { name: 'find_tool', effect: 'read', input: z.object({ tool: z.string() }) },
  ],
}

const start = () => startOracle({}, [library])

describe('a near match of a write', () => {
  it('the question repeats no word of a value', async () => {
    const { ask } = start()
    expect((await ask('remind me in one minute to return the drill')).text).toBe(
      'Do you mean “Remind me in one minute to return the drill” (minutes: one; thing: return the drill)?',
    )
    expect((await ask('yes')).args).toEqual({ thing: 'return the drill', minutes: 1 })
  })

  it('shows the values that it found and writes after a yes', async () => {
    const { ask } = start()
    expect(await ask('lend my ladder to Bob')).toMatchObject({
      calls: [],
      text: 'Do you mean “Lend the ladder to Bob” (tool: ladder; person: Bob)?',
    })
    expect(await ask('yes')).toMatchObject({ calls: ['lend_tool'], args: { tool: 'ladder', person: 'Bob' } })
  })

  it.each(['no', 'never mind', 'not to Bob', 'the other one', 'hm', 'where is the ladder?'])(
    'writes nothing after “%s”',
    async reply => {
      const { ask } = start()
      await ask('lend my ladder to Bob')
      expect((await ask(reply)).calls).not.toContain('lend_tool')
    },
  )

  it('never gives one name to two values', async () => {
    const { ask } = start()
    expect((await ask('lending a tool to Bob')).text).toBe('Do you mean “Lend the [tool] to [person]”?')
    expect((await ask('yes')).text).toBe('Which tool?')
    expect(await ask('ladder')).toMatchObject({
      calls: [],
      text: 'Do you mean “Lend the ladder to Bob” (tool: ladder; person: Bob)?',
    })
    expect((await ask('yes')).args).toEqual({ tool: 'ladder', person: 'Bob' })
  })

  it.each([
    'I met Eve. Lend the ladder to Bob.',
    'Lend the ladder to Bob. No, wait.',
    "don't lend the ladder to Bob",
    'lend the ladder to Bob tomorrow',
    'lend the ladder to Bob if it rains',
    'should we lend that ladder to Bob',
  ])('is asked about: “%s”', async text => {
    const { ask } = start()
    const answer = await ask(text)
    expect(answer).toMatchObject({ calls: [], text: expect.stringMatching(/^Do you mean “Lend the /) })
  })

  it('of a full match asks no question, and neither does a read', async () => {
    expect((await start().ask('Please lend the ladder to Bob')).calls).toEqual(['lend_tool'])
    expect((await start().ask('where is the ladder')).calls).toEqual(['find_tool'])
  })
})

describe('a value of a write', () => {
  it.each(['it', 'that', 'the', 'my', 'this one', 'them', 'something', 'IT'])(
    'is not the pronoun or determiner “%s”',
    async word => {
      const { ask } = start()
      const { calls, text } = await ask(`Mark ${word} as broken`)
      expect(calls).toEqual([])
      expect(text).toBe(`“${word}” is not valid: expected a name or value, not a pronoun. Which thing?`)
      expect((await ask('those')).calls).toEqual([])
      expect((await ask('the ladder')).args).toEqual({ thing: 'ladder', state: 'broken' })
    },
  )

  it.each([
    ['Store ABC12 of nails', 'a number'],
    ['Store 1,5 of nails', 'a number'],
    ['Store 3 or 4 of nails', 'a number'],
    ['Store 5% of nails', 'a number'],
    ['Store at least 5 of nails', 'a number'],
    ['Store 10:30 of nails', 'a number'],
    ['Store 3 of nails and those', 'not a pronoun'],
    ['Due the ladder on it', 'not a pronoun'],
    ['Due the ladder on Bob', 'a date'],
    ['Due the ladder on 2026-02-30', 'a date'],
    ['Mark the ladder as lent', 'one of good, broken'],
    ['Owner of the ladder becomes Bob', 'a DID'],
    ['Place the ladder at 91 by 20', 'a latitude'],
    ['Place the ladder at 15 by 200', 'a longitude'],
    ['Place the ladder at home by 20', 'a latitude'],
  ])('is of its kind: “%s”', async (text, expected) => {
    const answer = await start().ask(text)
    expect(answer.calls).toEqual([])
    expect(answer.text).toMatch(new RegExp(`is not valid: expected .*${expected}`))
  })

  it.each([
    ['Store 5 million of nails and bolts', { count: 5_000_000, kinds: ['nails', 'bolts'] }],
    ['Store one thousand of nails', { count: 1_000, kinds: ['nails'] }],
    ['Store 1,000 of nails', { count: 1_000, kinds: ['nails'] }],
    ['Store 20kg of nails', { count: 20, kinds: ['nails'] }],
    ['Due the ladder on 2026-12-01', { thing: 'the ladder', date: '2026-12-01' }],
    ['Due the ladder on next Friday', { thing: 'the ladder', date: 'next Friday' }],
    ['Owner of the ladder becomes did:key:z6Mk', { thing: 'the ladder', did: 'did:key:z6Mk' }],
    ['Place the ladder at -15.4 by 28.3', { thing: 'the ladder', latitude: -15.4, longitude: 28.3 }],
    ['Mark the ladder as Broken', { thing: 'the ladder', state: 'broken' }],
  ])('is taken as it is meant: “%s”', async (text, args) => {
    expect((await start().ask(text)).args).toEqual(args)
  })
})

it('a tool of unknown effect is asked about as one that writes', async () => {
  const tools: OfflineTool[] = []
  const { ask } = startOracle({}, [{ ...library, tools }])
  expect((await ask('lend my ladder to Bob')).text).toMatch(/^Do you mean “Lend the ladder to Bob”/)
})
