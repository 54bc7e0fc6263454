import { defineTool } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toolViolations } from '../plugins/check-tools.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
}

const ran: unknown[] = []

/** Accepts any object, with the schema of a server. */
const forecast = defineTool({
  description: 'The forecast of a server.',
  input: z.looseObject({}).refine(({ city }) => city !== 'Atlantis', 'There is no such city.'),
  inputSchema,
  effect: 'read',
  execute: async input => {
    ran.push(input)
    return 'sunny'
  },
})

const plugin = () =>
  samplePlugin('servers', {
    manifest: {
      title: 'Servers',
      summary: 'Servers.',
      whenToUse: ['x'],
      load: 'always',
      examples: [
        {
          user: ['Forecast for {city} for {days} days', 'Forecast for {city}'],
          tool: 'forecast',
          args: { city: '{city}', days: '{days}' },
        },
      ],
    },
    setup: () => ({ tools: { forecast } }),
  })

test('the model gets the JSON schema, and the parsed input is validated', async () => {
  ran.length = 0
  const call = (city: string) => ({ tool: 'forecast', input: { city, days: 3 } })
  const model = scriptedModel([call('Atlantis'), call('Oslo'), 'sunny'])
  await using oracle = await testApp({ plugins: [plugin()], model })
  const { events } = await oracle.chat('go')
  const shown = model.calls[0]?.options.tools?.find(({ name }) => name === 'forecast')
  expect(shown).toMatchObject({ inputSchema })
  expect(events.find(({ type }) => type === 'tool-input-error')?.errorText).toContain('There is no such city.')
  expect(ran).toEqual([{ city: 'Oslo', days: 3 }])
})

test('the offline model coerces by it, and asks for required members', async () => {
  ran.length = 0
  await using oracle = await testApp({ plugins: [plugin()] })
  await oracle.chat('Forecast for Oslo for three days')
  expect(ran).toEqual([{ city: 'Oslo', days: 3 }])
  expect((await oracle.chat('Forecast for Oslo')).text).toMatch(/\?$/)
  expect(ran.length).toBe(1)
})

test.each(['a text', [], { type: 'string' }, {}, null])('%j is not an input schema', schema => {
  expect(toolViolations({ ...forecast, inputSchema: schema })).toEqual([
    'inputSchema is not a JSON Schema of an object',
  ])
})
