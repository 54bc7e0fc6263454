import type { IncomingMessage } from 'node:http'
import { mintDelegation } from '@sibyl/identity'
import { type McpHttpServer, startMcpServer } from '@sibyl/mcp-client/testing'
import {
  createSigningKey,
  delegatedActor,
  readStream,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedPart,
  scriptedModel,
  type TestActor,
  testActor,
} from '@sibyl/testing'
import { expect, test } from 'vitest'
import { type OracleWithServers, oracleWith, serverAt } from '../oracle-with-servers.test.support.ts'

const sibyl = {
  identity: 'caller',
  audience: 'did:web:files.example',
  resource: 'files:house',
  abilities: ['files/read'],
  approval: 'never',
}

const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The DID on whose behalf a request came, by the delegation in its invocation. */
const behalfOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const { iss, aud, prf } = payloadOf(headers.authorization?.replace('Bearer ', '') ?? '')
  expect(aud).toBe('did:web:files.example')
  const [proof] = prf.map(payloadOf)
  expect(proof.aud).toBe(iss)
  return proof.iss
}

/** A server at which each person has tools of their own, which tell whose they are. */
const startFiles = async (names: ReadonlyMap<string, string>): Promise<McpHttpServer> => {
  const server = await startMcpServer({
    name: 'Files of somebody',
    tools: [...names.values()].map(name => ({
      name: `read_${name}`,
      description: `Of ${name}.`,
      does: [{ text: name }],
    })),
    resources: [{ uri: 'note://1', name: 'note' }],
  })
  server.intercept = (request, response, text) => {
    const body = text === '' ? {} : JSON.parse(text)
    if (body.method !== 'tools/list') return false
    const name = names.get(behalfOf(request))
    const tools = [
      {
        name: `read_${name}`,
        description: `Of ${name}, ${request.headers.authorization}`,
        inputSchema: { type: 'object' },
      },
    ]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { tools } }))
    return true
  }
  return server
}

const delegate = async (oracle: OracleWithServers, actor: TestActor) => {
  const delegation = await mintDelegation({
    key: actor.key,
    audience: oracle.app.identity.did!,
    resource: sibyl.resource,
    abilities: sibyl.abilities,
  })
  expect((await actor.request('/delegation', { json: { delegation } })).status).toBe(201)
}

const send = async (actor: TestActor, text: string, session = 's1') =>
  readStream(await actor.request('/chat', { json: { id: session, message: text } }))

/** A model that loads the files when it is told to, calls the tools that it is told to read, and then is done. */
const reader = (): ScriptedModel =>
  scriptedModel(
    Array.from({ length: 100 }, () => ({ prompt }: ScriptedCall): ScriptedPart[] => {
      const last = prompt.at(-1)
      if (last?.role !== 'user') return ['Done.']
      const text = last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(' ')
      const names = [...text.matchAll(/read_\w+/g)].map(([name]) => name)
      if (names.length > 0) return names.map(name => ({ tool: `files_${name}`, input: {} }))
      return [{ tool: 'load_capability', input: { names: ['files'] } }]
    }),
  )

const offered = (model: ScriptedModel) => model.calls.at(-1)?.tools.filter(name => name.startsWith('files_'))

/** Loads the files for somebody; again where the server took its time. */
const load = async (model: ScriptedModel, actor: TestActor) => {
  do await send(actor, 'Load my files')
  while (offered(model)?.length === 0)
}

test('each person reaches the server by an own delegation, over an own connection, with own tools', async () => {
  const names = new Map<string, string>()
  const server = await startFiles(names)
  const model = reader()
  await using oracle = await oracleWith({ files: serverAt(server.address, { sibyl }) }, { model })
  const ada = testActor(oracle.app)
  const bob = testActor(oracle.app)
  names.set(ada.did, 'ada').set(bob.did, 'bob')
  server.set({
    tools: ['ada', 'bob'].map(name => ({ name: `read_${name}`, description: 'x', does: [{ text: name }] })),
  })

  const refused = await send(ada, 'Load my files')
  expect(oracle.resultOf(refused, 'load_capability')).toMatchObject({
    results: [
      {
        status: 'failed',
        error:
          "The MCP server files acts for each user under that user's delegation, and this user has not given one. Delegate files/read on files:house to this oracle, and send the delegation with POST /delegation.",
      },
    ],
  })
  expect(server.requests).toEqual([])

  await delegate(oracle, ada)
  await delegate(oracle, bob)
  await load(model, ada)
  await load(model, bob)
  const ofAda = await send(ada, 'read_ada')
  expect(oracle.resultOf(ofAda, 'files_read_ada')).toMatchObject({ text: 'ada' })
  expect(offered(model)).toEqual(['files_read_ada', 'files_list_resources', 'files_read_resource'])
  const ofBob = await send(bob, 'read_bob and read_ada')
  expect(oracle.resultOf(ofBob, 'files_read_bob')).toMatchObject({ text: 'bob' })
  expect(ofBob.events.filter(({ type }) => type === 'tool-input-error')).toMatchObject([{ toolName: 'files_read_ada' }])
  expect(offered(model)).toEqual(['files_read_bob', 'files_list_resources', 'files_read_resource'])

  const perConnection = Map.groupBy(
    server.requests.filter(({ headers }) => headers['mcp-session-id'] !== undefined),
    ({ headers }) => headers['mcp-session-id'],
  )
  expect(perConnection.size).toBe(2)
  for (const requests of perConnection.values()) expect(new Set(requests.map(behalfOf)).size).toBe(1)
  const called = server.requests.filter(({ body }) => (body as { method?: string })?.method === 'tools/call')
  expect(called.map(behalfOf)).toEqual([ada.did, bob.did])

  expect(await oracle.capability('files')).toMatchObject({ state: 'ready', tools: [], title: 'files' })
  const shown = JSON.stringify([
    (await (await oracle.operator('GET', '/mcp/servers')).json()).servers,
    oracle.log.lines,
    [ofAda, ofBob].map(({ events }) => events),
    model.calls.map(({ prompt, options }) => [prompt, options.tools]),
  ])
  for (const { headers } of server.requests) {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    expect(token).not.toBe('')
    expect(shown).not.toContain(token)
  }
  await server.stop()
})

test('a delegation that was taken back ends what the oracle can do for its person', async () => {
  const names = new Map<string, string>()
  const server = await startFiles(names)
  const model = reader()
  await using oracle = await oracleWith({ files: serverAt(server.address, { sibyl }) }, { model })
  names.set(oracle.actor.did, 'ada')
  await delegate(oracle, oracle.actor)
  await load(model, oracle.actor)
  expect(offered(model)).toContain('files_read_ada')
  await oracle.actor.request('/delegation', { method: 'DELETE' })
  await send(oracle.actor, 'Load my files')
  expect(offered(model)).toEqual([])
  expect((await (await oracle.operator('GET', '/mcp/servers')).json()).servers[0].connections).toBe(0)
  await server.stop()
})

test('a connection ends with the right that its person used it under', async () => {
  const names = new Map<string, string>()
  const server = await startFiles(names)
  const model = reader()
  await using oracle = await oracleWith({ files: serverAt(server.address, { sibyl }) }, { model })
  const helper = await delegatedActor(oracle.app, { key: createSigningKey() })
  const connections = async () => (await (await oracle.operator('GET', '/mcp/servers')).json()).servers[0].connections
  names.set(helper.did, 'ada')
  await delegate(oracle, helper)
  await load(model, helper)
  expect(await connections()).toBe(1)
  await helper.revoke()
  const before = server.requests.length
  // The server has news, so that the oracle would have to ask it for its tools again.
  server.set({ tools: [{ name: 'read_more', description: 'x', does: [{ text: 'more' }] }] })
  await expect.poll(connections).toBe(0)
  const later = server.requests.slice(before).map(({ body }) => (body as { method?: string } | undefined)?.method)
  expect(later).not.toContain('tools/list')
  // The same person in their own right connects again.
  await load(model, testActor(oracle.app, Date.now, helper.key))
  expect(await connections()).toBe(1)
  await server.stop()
})

test('stored data of a caller is exported and erased, and their connection is closed', async () => {
  const names = new Map<string, string>()
  const server = await startFiles(names)
  const model = reader()
  await using oracle = await oracleWith({ files: serverAt(server.address, { sibyl }) }, { model })
  const [ada, bob] = [testActor(oracle.app), testActor(oracle.app)]
  names.set(ada.did, 'ada').set(bob.did, 'bob')
  for (const actor of [ada, bob]) {
    await delegate(oracle, actor)
    await load(model, actor)
  }
  const exported = async ({ request }: TestActor) => (await (await request('/me/export')).json()).mcp
  const toolOf = (name: string) => [expect.objectContaining({ server: 'files', tool: `read_${name}` })]
  expect(await exported(ada)).toEqual(toolOf('ada'))
  const closed = () => {
    const ended = server.requests.filter(({ method }) => method === 'DELETE')
    return new Set(ended.map(({ headers }) => headers['mcp-session-id'])).size
  }
  expect(closed()).toBe(0)
  expect((await ada.request('/me', { method: 'DELETE' })).status).toBe(204)
  await expect.poll(closed).toBe(1)
  expect(await exported(ada)).toBeUndefined()
  expect(await exported(bob)).toEqual(toolOf('bob'))
})
