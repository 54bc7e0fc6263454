import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mcpServer } from '@sibyl/adapter-mcp'
import { definePlugin, defineTool, PersonNeeded, ToolFailure } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { z } from 'zod'

const key = 'k-0123456789abcdef'

/** A running oracle with the tools and prompts that the kit's server scenarios call. */
export interface OracleUnderTest extends AsyncDisposable {
  /** The address of its endpoint. Requests need no authorization: the kit sends none. */
  readonly url: string
}

/** Starts the oracle, behind a proxy that adds an API key. */
export const startOracle = async (): Promise<OracleUnderTest> => {
  const oracle = await testApp({
    plugins: [samples()],
    adapters: [mcpServer()],
    env: { ORACLE_API_KEYS: `kit:${key}:*`, HOST: '127.0.0.1', PORT: '0' },
  })
  const { url } = await oracle.app.listen()
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const passed = request(`${url}${incoming.url}`, { method: incoming.method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await oracle[Symbol.asyncDispose]()
    },
  }
}

const tool = (description: string, execute: () => Promise<unknown>) =>
  defineTool({ description, input: z.object({}), effect: 'read', execute })

/** A tool that asks for what this schema says, and returns the answer as text. */
const asking = (text: string, properties: JsonObject, required: readonly string[] = []) =>
  defineTool({
    description: text,
    input: z.looseObject({}),
    effect: 'read',
    async execute(_, { answer }) {
      if (!answer) throw new PersonNeeded({ text, schema: { type: 'object', properties, required: [...required] } })
      return `Elicitation completed: action=${answer.accepted ? 'accept' : 'decline'}, content=${JSON.stringify(answer.data ?? {})}`
    },
  })

const texts = ['value1', 'value2', 'value3']

const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
]

const schema2020: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const samples = () =>
  definePlugin({
    name: 'test',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'Samples',
      summary: 'What the kit calls.',
      whenToUse: ['the conformance kit runs'],
      load: 'always',
      examples: [
        { user: 'This is a simple prompt for testing.', tool: 'test_simple_prompt', args: {} },
        {
          user: "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
          tool: 'test_prompt_with_arguments',
          args: { arg1: '{arg1}', arg2: '{arg2}' },
        },
      ],
    },
    setup: () => ({
      tools: {
        test_simple_text: tool('Returns text.', async () => 'This is a simple text response for testing.'),
        test_error_handling: tool('Fails.', async () => {
          throw new ToolFailure('This tool intentionally returns an error for testing')
        }),
        test_elicitation: asking(
          'Please provide your details',
          {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: 'Email' },
          },
          ['username', 'email'],
        ),
        test_elicitation_sep1034_defaults: asking('Please review the defaults', {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        }),
        test_elicitation_sep1330_enums: asking('Please choose', {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option 1', 'Option 2', 'Option 3'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        }),
        json_schema_2020_12_tool: {
          ...tool('Has a schema of JSON Schema 2020-12.', async () => texts),
          input: z.looseObject({}),
          inputSchema: schema2020,
        },
        test_simple_prompt: tool('Is the tool of a prompt.', async () => 'done'),
        test_prompt_with_arguments: defineTool({
          description: 'Is the tool of a prompt with arguments.',
          input: z.object({ arg1: z.string(), arg2: z.string() }),
          effect: 'read',
          execute: async () => 'done',
        }),
      },
    }),
  })
