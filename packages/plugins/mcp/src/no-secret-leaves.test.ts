import { type McpScript, mcpProgram, startMcpServer } from '@sibyl/mcp-client/testing'
import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { oracleWith, seen, serverAt } from './oracle-with-servers.test.support.ts'

const canaries = {
  header: 'canary-header-5f1c7e90a2',
  reference: 'canary-reference-8b3d6021fe',
  written: 'canary-written-77e0c9d41b',
  query: 'canary-query-0c58aa93d7',
}

/** How a server may give back what it was told. */
const forms = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
]

test('secrets of a server never come back, however it repeats them', async () => {
  const reported = {
    program: [canaries.reference, canaries.written].flatMap(forms),
    http: [canaries.header, canaries.reference, canaries.query].flatMap(forms),
  }
  const echoing = (all: readonly string[]): McpScript => ({
    name: `Server ${all[0]}`,
    instructions: `Use ${all.join(' ')}.`,
    tools: [
      {
        name: 'tell',
        description: `Tells ${all.join(' ')}`,
        inputSchema: { type: 'object', properties: { a: { type: 'string', description: all.join(' ') } } },
        annotations: { readOnlyHint: true },
        does: [
          { progress: 1, message: all.join(' ').slice(0, 150) },
          { text: all.join(' ') },
          { structured: { all: [...all] } },
        ],
      },
      { name: 'refuse', description: 'x', annotations: { readOnlyHint: true }, does: [{ refuse: all.join(' ') }] },
      {
        name: 'ask',
        description: 'x',
        annotations: { readOnlyHint: true },
        does: [
          {
            ask: [
              {
                message: all.join(' '),
                requestedSchema: { type: 'object', properties: { x: { type: 'string', title: all[0] } } },
              },
            ],
          },
        ],
      },
    ],
    resources: [{ uri: 'note://1', name: `note ${all[0]}`, text: all.join(' ') }],
  })
  const program = mcpProgram({ ...echoing(reported.program), stderr: `${reported.program.join('\n')}\n` })
  const server = await startMcpServer(echoing(reported.http))
  const down = await startMcpServer({ tools: [] })
  await down.stop()
  const stdio = serverAt(program.address) as { env: object }
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['program', 'http', 'mcp'] } },
    ['program', 'http'].flatMap(name => [
      { tool: `${name}_tell`, input: {} },
      { tool: `${name}_refuse`, input: {} },
      { tool: `${name}_read_resource`, input: { uri: 'note://1' } },
      { tool: `${name}_list_resources`, input: {} },
    ]),
    [
      { tool: 'mcp_status', input: {} },
      { tool: 'http_ask', input: {} },
    ],
  ])
  await using oracle = await oracleWith(
    {
      program: { ...stdio, env: { ...stdio.env, REFERRED: `\${CANARY}`, OWN_TOKEN: canaries.written } },
      http: {
        url: `${server.url}?key=${canaries.query}`,
        headers: { Authorization: `Bearer ${canaries.header}`, 'X-Other': `\${CANARY}` },
        sibyl: { trusted: true },
      },
      down: { url: `${down.url}?key=${canaries.query}`, headers: { 'X-Key': canaries.header } },
    },
    { model, env: { CANARY: canaries.reference } },
  )
  for (const name of ['program', 'http']) {
    await oracle.until(name, 'ready')
    await seen(async () => ((await oracle.capability(name))?.tools.length ?? 0) > 0)
  }
  await oracle.until('down', 'degraded')
  const stream = await oracle.chat('Tell me', { session: 's1' })
  expect(stream.last).toMatchObject({ messageMetadata: { outcome: 'awaiting-approval' } })
  expect(stream.events.filter(({ type }) => type === 'tool-output-available')).toHaveLength(10)
  expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${canaries.header}`)).toBe(true)
  expect(program.events()[0]?.env).toMatchObject({ REFERRED: canaries.reference, OWN_TOKEN: canaries.written })

  const places = {
    stream: stream.events,
    prompt: model.calls.map(({ prompt, options }) => [prompt, options.tools]),
    log: oracle.log.lines,
    capabilities: await (await oracle.operator('GET', '/capabilities')).json(),
    servers: await (await oracle.operator('GET', '/mcp/servers')).json(),
    session: await (await oracle.actor.request('/sessions/s1')).json(),
  }
  for (const [place, content] of Object.entries(places)) {
    const text = JSON.stringify(content)
    for (const secret of [...reported.program, ...reported.http]) {
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false)
    }
  }
  await server.stop()
  program.remove()
})
