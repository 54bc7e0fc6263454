import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdsAbility, type Tool } from '@sibyl/plugin'
import {
  readStream,
  type ScriptedModel,
  type ScriptedPart,
  type ScriptedStep,
  scriptedModel,
  type TestApp,
  testApp,
} from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured, everythingOn, fixedTools } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'

/** Sends a message through a door, as the holder of a credential, and waits for the end of its turn. */
type Say = (credential: string, text: string) => Promise<unknown>

let app: TestApp['app']
let close: () => Promise<void>
let model: ScriptedModel
let tools: ReadonlyMap<string, Tool>
let scopeSets: readonly (readonly string[])[] = []
/** The steps of the next turn. */
let steps: ScriptedPart[] = []

const post = (credential: string, path: string, json: object): Promise<Response> =>
  Promise.resolve(
    app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  )

/** Posts and reads the answer to its end. */
const posted =
  (path: string, body: (text: string) => object): Say =>
  async (credential, text) => {
    const response = await post(credential, path, body(text))
    const answer = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`)
  }

const doors: Readonly<Record<string, Say>> = {
  '/chat': async (credential, text) =>
    readStream(await post(credential, '/chat', { id: crypto.randomUUID(), message: text })),
  '/v1/chat/completions': posted('/v1/chat/completions', content => ({
    model: 'oracle',
    messages: [{ role: 'user', content: `${content} ${crypto.randomUUID()}` }],
  })),
  '/v1/responses': posted('/v1/responses', input => ({ model: 'oracle', input })),
  '/a2a': posted('/a2a', text => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] } },
  })),
  '/ag-ui': posted('/ag-ui', content => ({
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: crypto.randomUUID(), role: 'user', content }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  })),
}

const keyOf = (index: number): string => `key-of-scopes-${String(index).padStart(4, '0')}`

beforeAll(async () => {
  const { plugins, parts } = captured()
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-doors-'))
  const first = await testApp({ plugins, env: everythingOn(folder) })
  await first.app.close()
  rmSync(folder, { recursive: true })
  tools = new Map([...parts.values()].flatMap(given => Object.entries(fixedTools(given))))
  const abilities = new Set([...tools.values()].flatMap(({ ability = [] }) => ability))
  scopeSets = [['chat/send'], ['chat/*'], ['*'], ...[...abilities].toSorted().map(ability => ['chat/send', ability])]
  const keys = scopeSets.map((scopes, index) => `scopes${index}:${keyOf(index)}:${scopes.join('+')}`)
  const home = mkdtempSync(join(tmpdir(), 'sibyl-doors-'))
  const script = Array.from({ length: 10_000 }, (): ScriptedStep => () => steps.shift() ?? 'done')
  model = scriptedModel(script)
  const again = captured()
  const env = {
    ...everythingOn(home),
    ORACLE_API_KEYS: keys.join(','),
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_PER_DID_PER_MINUTE: '0',
  }
  const oracle = await testApp({ plugins: again.plugins, adapters: bundledAdapters(), env, model })
  app = oracle.app
  close = async () => {
    await oracle.app.close()
    rmSync(home, { recursive: true })
  }
}, 60_000)

afterAll(() => close())

/** Loads every capability; the tools that are offered next. */
const offeredThrough = async (say: Say, credential: string): Promise<readonly string[]> => {
  const { capabilities } = await (
    await app.request('/capabilities', { headers: { authorization: `Bearer ${keyOf(2)}` } })
  ).json()
  const names = capabilities.map(({ name }: { name: string }) => name)
  steps = [{ tool: 'load_capability', input: { names } }, 'done']
  await say(credential, 'load everything')
  return (model.calls.at(-1)?.tools ?? []).filter(name => tools.has(name)).toSorted()
}

test.each(Object.entries(doors))(
  '%s offers each caller the tools that the abilities allow, and no others',
  async (_, say) => {
    for (const [index, scopes] of scopeSets.entries()) {
      const allowed = [...tools].filter(([, { ability }]) => holdsAbility(scopes, ability)).map(([name]) => name)
      expect(await offeredThrough(say, keyOf(index)), scopes.join(' ')).toEqual(allowed.toSorted())
    }
  },
)

test.each(Object.entries(doors))('%s runs no tool that the caller may not call', async (_, say) => {
  const refused = [...tools].filter(([, { ability }]) => !holdsAbility(['chat/send'], ability)).map(([name]) => name)
  expect(refused.length).toBeGreaterThan(20)
  for (const tool of refused) {
    steps = [{ tool, input: {} }, 'done']
    await say(keyOf(0), `call ${tool}`)
    const results = (model.calls.at(-1)?.prompt ?? []).flatMap(({ role, content }) => (role === 'tool' ? content : []))
    expect(results, tool).toMatchObject([{ toolName: tool, output: { type: 'error-text' } }])
  }
})
