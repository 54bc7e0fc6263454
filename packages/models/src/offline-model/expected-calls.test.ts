import type { Example } from '@sibyl/plugin/host'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { expectedCalls } from './expected-calls.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'

const entryOf = (example: Example, input: z.ZodType): OfflineCatalogEntry => ({
  name: 'demo',
  mode: 'always',
  manifest: { title: 'Demo', summary: 'Demo.', whenToUse: ['demo'], examples: [example] },
  tools: [{ name: 'run', input }],
})

describe('expectedCalls', () => {
  it('fills every wording with samples that suit the schema', () => {
    const input = z.object({
      city: z.string().min(8),
      days: z.int().min(5).optional(),
      unit: z.enum(['celsius', 'kelvin']).optional(),
      patch: z.object({ did: z.string().meta({ examples: ['did:key:z6Mk'] }) }).optional(),
    })
    const example: Example = {
      user: ['In {city}', 'In {city} for {days} days in {unit}', 'In {city} by {did}'],
      tool: 'run',
      args: { city: '{city}', days: '{days}', unit: '{unit}', patch: { did: '{did}' } },
    }
    expect(expectedCalls(entryOf(example, input))).toEqual([
      { text: 'In Berlinnn', tool: 'run', args: { city: 'Berlinnn', patch: {} } },
      {
        text: 'In Berlinnn for 5 days in celsius',
        tool: 'run',
        args: { city: 'Berlinnn', days: 5, unit: 'celsius', patch: {} },
      },
      { text: 'In Berlinnn by did:key:z6Mk', tool: 'run', args: { city: 'Berlinnn', patch: { did: 'did:key:z6Mk' } } },
    ])
  })

  it('takes samples from the caller', () => {
    const example: Example = { user: 'Resolve {did}', tool: 'run', args: { did: '{did}' } }
    const input = z.object({ did: z.string().startsWith('did:') })
    expect(expectedCalls(entryOf(example, input), { did: 'did:web:x' })[0]?.args).toEqual({ did: 'did:web:x' })
    expect(() => expectedCalls(entryOf(example, input))).toThrow("“Resolve {did}” does not call 'run'")
  })

  it('names the example of an unknown tool', () => {
    expect(() => expectedCalls(entryOf({ user: 'x y', tool: 'gone', args: {} }, z.object({})))).toThrow("'gone'")
  })
})
