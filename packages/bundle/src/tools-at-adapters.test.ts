import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdsAbility, type Tool } from '@sibyl/plugin'
import { type ScriptedModel, type ScriptedStep, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Adapter, adapters, mcpBody, mcpHeaders } from './adapters.test.support.ts'
import { captured, everythingOn, fixedTools } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'

/** What a caller gets at an adapter: the tools that are offered, and those of all tools whose call was refused for its ability. */
interface Verdicts {
  readonly offered: readonly string[]
  readonly refused: readonly string[]
}

/** Answers a turn or a list at an adapter, as the holder of a key. */
type VerdictsAt = (key: string) => Promise<Verdicts>

let oracle: TestApp
const home = mkdtempSync(join(tmpdir(), 'sibyl-adapters-'))
let model: ScriptedModel
let tools: ReadonlyMap<string, Tool>
let capabilities: readonly string[] = []
let scopeSets: readonly (readonly string[])[] = []
/** The steps of the next turn. */
let steps: ScriptedStep[] = []

const keyOf = (index: number): string => `key-of-scopes-${String(index).padStart(4, '0')}`

const request = async (key: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
  const response = await oracle.app.request(path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** A adapter of turns: one turn loads every capability, and calls every tool in its next step. */
const turnAdapter =
  ({ path, body }: Adapter, sessionOf = (_: string, session: string) => session): VerdictsAt =>
  async key => {
    const calls = [...tools.keys()].map(tool => ({ tool, input: {}, id: tool }))
    steps = [{ tool: 'load_capability', input: { names: [...capabilities] }, id: 'load' }, calls]
    const before = model.calls.length
    const session = crypto.randomUUID()
    const answer = await request(key, path, body(`${text} ${session}`, { session }))
    const { messages } = JSON.parse(await request(key, `/sessions/${sessionOf(answer, session)}`))
    const parts: { toolCallId?: string; errorText?: string }[] = messages.at(-1).parts
    const refused = parts.flatMap(({ toolCallId, errorText }) =>
      toolCallId !== undefined && /requires the ability/.test(errorText ?? '') ? [toolCallId] : [],
    )
    const offered = (model.calls[before + 1]?.tools ?? []).filter(name => tools.has(name))
    return { offered: offered.toSorted(), refused: refused.toSorted() }
  }

const text = 'do it all'
const sibylSession = (answer: string): string => JSON.parse(answer).sibyl.session_id

/** Sends a request of the Model Context Protocol. */
const mcp = async (key: string, method: string, params: { readonly name?: string; readonly arguments?: object } = {}) =>
  request(key, '/mcp', mcpBody(method, params), mcpHeaders(method, params.name)).catch(String)

/** The most capabilities that one call loads. */
const maxNames = 20

const mcpAdapter: VerdictsAt = async key => {
  for (let at = 0; at < capabilities.length; at += maxNames) {
    const names = capabilities.slice(at, at + maxNames)
    await mcp(key, 'tools/call', { name: 'load_capability', arguments: { names } })
  }
  const { result } = JSON.parse(await mcp(key, 'tools/list'))
  const listed = new Set((result.tools as { name: string }[]).map(({ name }) => name))
  const refused: string[] = []
  for (const name of tools.keys()) {
    if (listed.has(name)) continue
    if (/There is no tool/.test(await mcp(key, 'tools/call', { name, arguments: {} }))) refused.push(name)
  }
  return { offered: [...tools.keys()].filter(name => listed.has(name)).toSorted(), refused: refused.toSorted() }
}

const verdictsAt: Readonly<Record<string, VerdictsAt>> = {
  ...Object.fromEntries(
    Object.entries(adapters).map(([name, adapter]) => [
      name,
      name === '/v1/chat/completions' ? turnAdapter(adapter, sibylSession) : turnAdapter(adapter),
    ]),
  ),
  '/mcp': mcpAdapter,
}

beforeAll(async () => {
  const { plugins, parts } = captured()
  const first = await testApp({ plugins, env: everythingOn(join(home, 'first')) })
  await first.app.close()
  tools = new Map([...parts.values()].flatMap(given => Object.entries(fixedTools(given))))
  const abilities = new Set([...tools.values()].flatMap(({ ability = [] }) => ability))
  const areas = new Set([...abilities].map(ability => `${ability.slice(0, ability.lastIndexOf('/'))}/*`))
  const single = [...abilities, ...areas].toSorted()
  scopeSets = [['chat/send'], ['chat/*'], ['*'], ...single.map(ability => ['chat/send', ability])].map(scopes => [
    ...scopes,
    'session/read',
  ])
  const keys = scopeSets.map((scopes, index) => `n${index}:${keyOf(index)}:${scopes.join('+')}:did:example:n${index}`)
  const script = Array.from(
    { length: 10_000 },
    (): ScriptedStep => given => {
      const step = steps.shift() ?? 'done'
      return typeof step === 'function' ? step(given) : step
    },
  )
  model = scriptedModel(script)
  oracle = await testApp({
    plugins: captured().plugins,
    adapters: bundledAdapters(),
    model,
    env: {
      ...everythingOn(join(home, 'second')),
      ORACLE_API_KEYS: keys.join(','),
      TOKEN_BUDGET_DID_PER_DAY: '0',
      TOKEN_BUDGET_ORACLE_PER_DAY: '0',
      TURN_MAX_TOKENS: '10000000',
    },
  })
  const known = oracle.app.capabilities().filter(({ state }) => state !== 'excluded')
  capabilities = known.filter(({ mode }) => mode === 'on-demand').map(({ name }) => name)
})

afterAll(async () => {
  await oracle[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

test.each(Object.entries(verdictsAt))(
  '%s offers and runs the tools that the abilities of the caller allow, and no others',
  async (name, adapter) => {
    const counts = new Set<number>()
    for (const [index, scopes] of scopeSets.entries()) {
      // The other paths ask the same rules as /chat: a part shows that they do so with the abilities of the caller.
      if (name !== '/chat' && index > 2 && index % 4 > 0) continue
      const isAllowed = ([, { ability }]: readonly [string, Tool]) => holdsAbility(scopes, ability)
      const offered = [...tools].filter(isAllowed).map(([name]) => name)
      const refused = [...tools].filter(one => !isAllowed(one)).map(([name]) => name)
      expect(await adapter(keyOf(index)), scopes.join(' ')).toEqual({
        offered: offered.toSorted(),
        refused: refused.toSorted(),
      })
      counts.add(refused.length)
    }
    expect(Math.max(...counts)).toBeGreaterThan(20)
    expect(Math.min(...counts)).toBe(0)
    expect(counts.size).toBeGreaterThan(3)
  },
)
