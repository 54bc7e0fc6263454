import { startFakeOpenAi } from '@sibyl/models/testing'
import { defineTool, type Tool } from '@sibyl/plugin'
import { jsonValue } from '@sibyl/protocol'
import { readStream } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'
import { upstreamOracle } from '../testing/upstream-oracle.ts'

const text = { type: 'string' }

/** Legal schemas of servers that one API or another rejects. */
const schemas: Readonly<Record<string, Record<string, unknown>>> = {
  any_of_at_top: { anyOf: [{ required: ['id'] }, { required: ['name'] }], properties: { id: text, name: text } },
  array_without_items: { properties: { ids: { type: 'array' } } },
  null_properties: { properties: null },
  draft_4: { properties: { limit: { type: 'integer', minimum: 0, exclusiveMinimum: true } } },
  odata: { properties: { $filter: text, $top: { type: 'integer' } }, required: ['$filter'] },
  recursive: {
    properties: { tree: { $ref: '#/$defs/tree' } },
    $defs: { tree: { properties: { next: { $ref: '#/$defs/tree' } } } },
  },
}

test('a strict model server takes the tools of odd schemas, and each gets the arguments that its schema names', async () => {
  const inputs: unknown[] = []
  const tools = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]): [string, Tool] => [
      name,
      {
        ...defineTool({
          description: `Does ${name}.`,
          input: z.looseObject({}),
          effect: 'read',
          execute: async input => {
            inputs.push(input)
            return 'done'
          },
        }),
        inputSchema: { type: 'object', ...schema } as NonNullable<Tool['inputSchema']>,
      } as Tool,
    ]),
  )
  for (const api of ['openai', 'openai-compatible'] as const) {
    inputs.length = 0
    const call = { name: 'odata', arguments: { _filter: 'a eq 1', _top: null } }
    const server = await startFakeOpenAi({ replies: [{ toolCalls: [call] }, { text: 'fine' }] })
    await using upstream = await upstreamOracle(api, server.url, {}, { plugins: [officePlugin({ tools })] })
    expect((await upstream.send()).text).toBe('fine')
    expect(inputs).toEqual([{ $filter: 'a eq 1' }])
    expect(server.requests[0]?.tools).toEqual(expect.arrayContaining(Object.keys(schemas)))
    await server.close()
  }
})

test('a tool of the client that no model takes is left out, with a notice', async () => {
  const server = await startFakeOpenAi({ replies: () => ({ text: 'fine' }) })
  await using upstream = await upstreamOracle('openai-compatible', server.url)
  const tool = (name: string, schema: object) => ({ name, inputSchema: { type: 'object', ...schema } })
  const clientTools = [
    tool('words', { anyOf: [text, { type: 'array' }] }),
    tool('small', { anyOf: [{ properties: { a: text } }] }),
  ]
  const stream = await readStream(
    await upstream.oracle.actor.request('/chat', { json: { id: 's1', message: 'hi', clientTools } }),
  )
  expect(stream.text).toBe('fine')
  const notices = stream.events.filter(({ type }) => type === 'data-notice')
  expect(notices).toMatchObject([{ data: { code: 'tool_left_out', text: expect.stringContaining("'words'") } }])
  expect(server.requests[0]?.tools).toContain('small')
  expect(server.requests[0]?.tools).not.toContain('words')
  await server.close()
})

test('tools that return any JSON are listed without references', async () => {
  const show = defineTool({
    description: 'Shows',
    input: z.object({ value: jsonValue.optional() }),
    output: z.object({ value: jsonValue, rows: z.array(jsonValue) }),
    effect: 'read',
    execute: async () => ({ value: 1, rows: [] }),
  })
  const server = await startFakeOpenAi({ replies: () => ({ text: 'fine' }) })
  await using upstream = await upstreamOracle(
    'openai-compatible',
    server.url,
    {},
    { plugins: [officePlugin({ tools: { show } })] },
  )
  await upstream.send()
  const offered = JSON.stringify(server.requests[0]?.body.tools)
  expect(offered).not.toContain('$ref')
  expect(offered).toContain('"value":{}')
  await server.close()
})
