import { expect, it } from 'vitest'
import type { Flow } from './flow.ts'
import { expectFlowFits, type LintOptions, lintFlow } from './lint-flow.ts'
import { findingText } from './lint-screens.ts'

const flow = (screens: Flow['screens'], parts: Partial<Flow> = {}): Flow => ({
  start: 'home',
  screens: { home: { kind: 'menu', text: 'Home', options: [{ label: 'Next', to: 'next' }] }, ...screens },
  ...parts,
})
const findings = (subject: Flow, options?: LintOptions) => lintFlow(subject, options).map(findingText)

it('finds nothing in a valid flow', () => {
  const sound = flow({ next: { kind: 'message', text: 'Words on several pages. '.repeat(30) } })
  expect(findings(sound)).toEqual([])
  expect(() => expectFlowFits(sound)).not.toThrow()
})

it.each<[string, Flow['screens'], string[]]>([
  [
    'a question that no message holds',
    { next: { kind: 'input', text: 'q'.repeat(183), into: 'x', parse: value => ({ value }), to: 'home' } },
    ['error: next (en): the question takes 183 of 182'],
  ],
  [
    'a secret with one letter that makes it UCS-2',
    { next: { kind: 'secret', text: `${'q'.repeat(80)}ç`, into: 'x', to: 'home' } },
    ['error: next (en): the question takes 81 of 80 of UCS-2, because of "ç"'],
  ],
  [
    'a question that leaves no space for its keys',
    { next: { kind: 'secret', text: 'q'.repeat(170), into: 'x', to: 'home' } },
    [
      'warning: next (en): with its keys the question takes 186 of 182',
      'warning: next (en): the question takes 170 of 160',
    ],
  ],
  [
    'a confirmation of two pages',
    { next: { kind: 'confirm', text: 'q'.repeat(160), yes: 'home', no: 'home' } },
    ['error: next (en): the question with its answers takes 189 of 182'],
  ],
  [
    'last words of two pages',
    { next: { kind: 'message', ends: true, text: 'q'.repeat(183) } },
    ['error: next (en): the ending takes 183 of 182'],
  ],
  [
    'last words that are computed',
    { next: { kind: 'message', ends: true, text: () => 'q'.repeat(183) } },
    ['error: next (en): the ending takes 183 of 182'],
  ],
  [
    'a late action of two pages',
    {
      next: {
        kind: 'action',
        effect: 'write',
        run: async () => ({ to: 'home' }),
        late: 'q'.repeat(170),
        leadsTo: ['home'],
      },
    },
    ['error: next (en): what is shown while it is late takes 187 of 182'],
  ],
  [
    'a message that leads nowhere',
    { next: { kind: 'message', text: 'x', back: false } },
    ['warning: next: leads nowhere but to the exit; say `ends: true`, or let 0 lead back'],
  ],
  [
    'a screen that nothing leads to',
    { next: { kind: 'message', text: 'x' }, lost: { kind: 'confirm', text: 'q'.repeat(200), yes: 'home', no: 'home' } },
    ['warning: lost: nothing leads here; name it in `starts` if a computed target does'],
  ],
  [
    'words that only real sessions have',
    { next: { kind: 'message', text: ({ values }) => (values.list as { name: string }).name } },
    ['warning: next (en): its words could not be computed with sample values; look at it yourself'],
  ],
])('finds %s', (_, screens, found) => {
  expect(findings(flow(screens))).toEqual(found)
})

it('finds a line that no page can hold, whatever its `when` returns', () => {
  const found = findings(
    flow({
      home: {
        kind: 'menu',
        text: 'Home',
        options: [{ label: 'o'.repeat(150), to: 'home', when: () => false }],
      },
    }),
  )
  expect(found[0]).toMatch(/^error: home \(en\): with the keys the line "1\. o+" takes 183 of 182$/)
})

it('finds the line of an item that no page can hold', () => {
  const found = findings(
    flow({
      next: {
        kind: 'choice',
        text: 'x',
        empty: 'y',
        into: 'z',
        to: 'home',
        items: () => [{ label: 'o'.repeat(170), value: 1 }],
      },
    }),
  )
  expect(found[0]).toMatch(/^error: next \(en\): with the keys the line "1\. o+" takes 211 of 182$/)
})

it('inserts values of their longest length, and their examples', () => {
  const screens: Flow['screens'] = {
    next: { kind: 'confirm', text: `Send to {name}${'.'.repeat(60)}?`, yes: 'home', no: 'home' },
  }
  expect(findings(flow(screens, { values: { name: { longest: 100 } } }))).toEqual([
    'error: next (en): the question with its answers takes 198 of 182',
  ])
  expect(findings(flow(screens, { values: { name: { longest: 10, example: 'مريم' } } }))).toEqual([
    'error: next (en): the question with its answers takes 102 of 80 of UCS-2, because of "م"',
  ])
  expect(findings(flow(screens, { values: { name: { longest: 10, example: 'Mary' } } }))).toEqual([])
})

it('checks every language', () => {
  const languages = [
    { code: 'en', name: 'English' },
    { code: 'fr', name: 'Français' },
  ]
  const text = { en: 'Fine', de: 'Gut' }
  expect(findings(flow({ next: { kind: 'message', text } }, { languages }))).toEqual([
    'error: next (fr): text says nothing in this language',
    'warning: next (de): text speaks a language that the flow does not name',
  ])
  const question = { en: 'Your name?', fr: `Votre nom, s'il vous plaît ${'?'.repeat(70)}` }
  expect(findings(flow({ next: { kind: 'secret', text: question, into: 'x', to: 'home' } }, { languages }))[0]).toBe(
    'error: next (fr): the question takes 97 of 80 of UCS-2, because of "î"',
  )
})

it('finds shared texts that do not fit', () => {
  const subject = flow(
    { next: { kind: 'message', text: 'x' } },
    { words: { goodbye: 'g'.repeat(183), more: 'm'.repeat(200) } },
  )
  const found = findings(subject)
  expect(found).toContain('error: words.goodbye (en): the ending takes 183 of 182')
  expect(found.filter(text => text.startsWith('error: home (en): with the keys the line "1. Next"'))).toHaveLength(1)
})

it('follows computed targets, as far as samples lead to them, and named ones', () => {
  const screens: Flow['screens'] = {
    next: {
      kind: 'input',
      text: 'x',
      into: 'x',
      parse: value => ({ value }),
      to: ({ customerId, values }) => (values.x === 'never' ? 'hidden' : customerId === undefined ? 'home' : 'member'),
    },
    member: { kind: 'message', text: 'x' },
    hidden: { kind: 'secret', text: 'q'.repeat(183), into: 'y', to: 'home' },
  }
  expect(findings(flow(screens))).toEqual([
    'warning: hidden: nothing leads here; name it in `starts` if a computed target does',
  ])
  expect(findings(flow(screens), { starts: ['hidden'] })).toEqual(['error: hidden (en): the question takes 183 of 182'])
})

it('warns of texts that a narrow network cannot hold, unless limits are given', () => {
  const subject = flow({ next: { kind: 'confirm', text: 'q'.repeat(140), yes: 'home', no: 'home' } })
  expect(findings(subject)).toEqual(['warning: next (en): the question with its answers takes 169 of 160'])
  expect(findings(subject, { limits: { gsm7: 182, ucs2: 80 } })).toEqual([])
  expect(() => expectFlowFits(subject)).not.toThrow()
  expect(() => expectFlowFits(subject, { limits: { gsm7: 160, ucs2: 70 } })).toThrow(
    expect.objectContaining({
      code: 'flow_invalid',
      facts: { problems: ['error: next (en): the question with its answers takes 169 of 160'] },
    }),
  )
})

it('rejects a flow with errors', () => {
  expect(() => lintFlow(flow({}))).toThrow(expect.objectContaining({ code: 'flow_invalid' }))
})
