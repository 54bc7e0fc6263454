import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channelAbilities, definePlugin, defineTool, holdsAbility, type Tool } from '@sibyl/plugin'
import { Homeserver, MatrixPerson } from '@sibyl/plugin-matrix/testing'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { z } from 'zod'
import { adapters, mcpBody, mcpHeaders, type Wire } from './adapters.test.support.ts'
import { captured, everythingOn, fixedTools } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { type CanaryCall, canaryCall } from './canary-call.test.support.ts'

const key = 'key-of-the-person-who-approves'

/** The calls of a turn. */
type Calls = readonly Pick<CanaryCall, 'tool' | 'input'>[]

/** A plugin with a tool that writes a text of any length. */
const wall = (written: string[]) =>
  definePlugin({
    name: 'wall',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Wall', summary: 'Writes.', whenToUse: ['someone writes'], load: 'always' },
    setup: () => ({
      tools: {
        paint: defineTool({
          description: 'Writes.',
          effect: 'write',
          approval: 'user',
          describe: () => 'Paint the wall',
          input: z.object({ text: z.string() }),
          execute: async ({ text }) => written.push(text),
        }),
      },
    }),
  })

/**
 * Boots an oracle with all plugins, each tool of which asks, and a tool that writes; its model makes the calls that it is given.
 * Has a function for each channel that returns what a person sees there before a yes.
 */
export const questionWorld = async () => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl-questions-'))
  /** The calls of the next turn. */
  let next: Calls = []
  /** The texts that the tool wrote. */
  const written: string[] = []
  const homeserver = await Homeserver.start()
  const bot = homeserver.addUser('oracle', 'the bot password')
  const { plugins, parts } = captured()
  const step: ScriptedStep = () => {
    const made = next.map(({ tool, input }) => ({ tool, input, id: crypto.randomUUID() }))
    next = []
    return made.length === 0 ? 'Done.' : made
  }
  const oracle = await testApp({
    plugins: [
      ...plugins.map(plugin => ({
        ...plugin,
        manifest: { ...plugin.manifest, load: 'always' as const, approvals: ['*'] },
      })),
      wall(written),
    ],
    adapters: bundledAdapters(),
    model: scriptedModel(Array.from({ length: 1_000 }, () => step)),
    env: {
      ...everythingOn(home, {
        MATRIX_BASE_URL: homeserver.url,
        MATRIX_ORACLE_ADMIN_USER_ID: bot,
        MATRIX_ORACLE_ADMIN_PASSWORD: 'the bot password',
      }),
      ORACLE_API_KEYS: `n:${key}:*:did:example:ada`,
      TOKEN_BUDGET_DID_PER_DAY: '0',
      TOKEN_BUDGET_ORACLE_PER_DAY: '0',
      TURN_MAX_TOKENS: '10000000',
    },
  })
  await oracle.app.ready
  const tools = new Map<string, Tool>([...parts.values()].flatMap(given => Object.entries(fixedTools(given))))
  const calls = [...tools].map(([name, tool], place) => canaryCall(name, tool, 10_000 + 100 * place))
  const ofRooms = [...channelAbilities, 'matrix/send']
  const mayInRoom = new Set([...tools].flatMap(([name, { ability }]) => (holdsAbility(ofRooms, ability) ? [name] : [])))

  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Wire> => {
    const response = await oracle.app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const events = text.split('\n').flatMap(line => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    return events.length > 0 ? events : JSON.parse(text)
  }

  const read = async (path: string): Promise<Wire> =>
    (await oracle.app.request(path, { headers: { authorization: `Bearer ${key}` } })).json()

  /** Begins a turn with these calls at an adapter. */
  const turnAt = (name: keyof typeof adapters, made: Calls): Promise<Wire> => {
    const { path, body, headers = {} } = adapters[name]!
    next = made
    return post(path, body('Do it.'), headers)
  }

  /** Calls a tool as a client of MCP that shows forms. */
  const callWithForms = (tool: string, params: object): Promise<Wire> => {
    const body: Wire = mcpBody('tools/call', { name: tool, ...params })
    body.params._meta['io.modelcontextprotocol/clientCapabilities'] = { elicitation: {} }
    return post('/mcp', body, mcpHeaders('tools/call', tool))
  }

  /** Decides the calls of a person in a room one after the other. @returns the texts of the bot */
  const deniedInRoom = async (made: Calls): Promise<string> => {
    const person = await MatrixPerson.register(homeserver.url, `ada${crypto.randomUUID().slice(0, 8)}`)
    const room = await person.directRoom(bot)
    const texts = (): string[] =>
      homeserver.events(room).flatMap(({ sender, content }) => (sender === bot ? [String(content.body)] : []))
    const asked = () => texts().filter(text => text.includes('Answer yes, always or no.')).length
    next = made
    await person.send(room, 'Do it.')
    for (const place of made.keys()) {
      await homeserver.until(() => asked() === place + 1)
      await person.send(room, 'no')
    }
    await homeserver.until(() => texts().includes('Done.'))
    return texts().join('\n')
  }

  /** Returns all that a person sees of the questions whether these calls may run, before a yes. */
  const shownAt: Readonly<Record<string, (made: Calls) => Promise<string>>> = {
    async '/chat'(made) {
      const events = await turnAt('/chat', made)
      return events.map(({ reason }: Wire) => reason ?? '').join('\n')
    },
    async '/sessions/{id}'(made) {
      const [{ messageMetadata }] = await turnAt('/chat', made)
      const { messages } = await read(`/sessions/${messageMetadata.sessionId}`)
      return messages
        .at(-1)
        .parts.map(({ approval }: Wire) => approval?.requestReason ?? '')
        .join('\n')
    },
    async '/approvals'(made) {
      await turnAt('/chat', made)
      const { approvals } = await read(`/approvals?limit=${made.length}`)
      return approvals.map(({ question }: Wire) => question).join('\n')
    },
    '/v1/chat/completions': async made => (await turnAt('/v1/chat/completions', made)).choices[0].message.content,
    '/v1/responses': async made => (await turnAt('/v1/responses', made)).output.at(-1).content[0].text,
    '/a2a': async made => (await turnAt('/a2a', made)).result.task.status.message.parts[0].text,
    '/a2a/message:send': async made => (await turnAt('/a2a/message:send', made)).task.status.message.parts[0].text,
    async '/ag-ui'(made) {
      const { outcome } = (await turnAt('/ag-ui', made)).at(-1)
      return outcome.interrupts.map(({ message }: Wire) => message).join('\n')
    },
    '/mcp without forms': async made => (await turnAt('/mcp', made)).at(-1).result.content[0].text,
    async '/mcp with forms'(made) {
      const texts: string[] = []
      for (const { tool, input } of made) {
        const { result } = await callWithForms(tool, { arguments: input })
        texts.push(...Object.values<Wire>(result.inputRequests).map(({ params }) => params.message))
      }
      return texts.join('\n')
    },
    async 'a Matrix room'(made) {
      const texts: string[] = []
      const allowed = made.filter(({ tool }) => mayInRoom.has(tool))
      // The bot takes more quick answers for a loop of two programs.
      for (let at = 0; at < allowed.length; at += 8) texts.push(await deniedInRoom(allowed.slice(at, at + 8)))
      return texts.join('\n')
    },
  }

  const long = `first ${'x'.repeat(60_000)} last`
  const paint = { tool: 'paint', input: { text: long } }
  const whole = `Paint the wall\n\ntext: "${long}"`
  /** Answers yes at a channel to a question that is longer than it shows. @returns what was shown, and the code of the refusal */
  const yesAt: Readonly<Record<string, (yes: string) => Promise<{ readonly text: string; readonly code: unknown }>>> = {
    async '/v1/chat/completions'(yes) {
      const { path, body } = adapters['/v1/chat/completions']!
      const { choices } = await turnAt(path, [paint])
      const text = choices[0].message.content
      const asked: Wire = body('Do it.')
      const messages = [...asked.messages, { role: 'assistant', content: text }, { role: 'user', content: yes }]
      return { text, code: (await post(path, { messages })).error?.code }
    },
    async '/v1/responses'(yes) {
      const { id, output } = await turnAt('/v1/responses', [paint])
      const { error } = await post('/v1/responses', { input: yes, previous_response_id: id })
      return { text: output.at(-1).content[0].text, code: error?.code }
    },
    async '/a2a'(yes) {
      const { path, body, code } = adapters['/a2a']!
      const { task } = (await turnAt(path, [paint])).result
      const answer: Wire = body(yes)
      answer.params.message.taskId = task.id
      const replied = await post(path, answer)
      return { text: task.status.message.parts[0].text, code: replied.error && code(replied) }
    },
  }

  /** Returns the calls that a channel may show. */
  const callsAt = (channel: string) => calls.filter(({ tool }) => channel !== 'a Matrix room' || mayInRoom.has(tool))

  /** Asks at the chat in a session of an OpenAI client, which then says yes. @returns the texts that were written */
  const acceptedElsewhere = async (): Promise<string[]> => {
    written.length = 0
    const { path, body } = adapters['/v1/chat/completions']!
    const asked: Wire = body('Do it.')
    const { choices, sibyl } = await post(path, asked)
    next = [{ tool: 'paint', input: { text: 'of another channel' } }]
    await post('/chat', adapters['/chat']!.body('Do it.', { session: sibyl.session_id }))
    await post(path, { messages: [...asked.messages, choices[0].message, { role: 'user', content: 'yes' }] })
    return [...written]
  }

  return {
    did: oracle.app.identity.did,
    acceptedElsewhere,
    callsAt,
    /** Returns the texts of the calls that a channel does not show before a yes. */
    async missingAt(channel: string): Promise<string[]> {
      const text = await shownAt[channel]!(calls)
      return callsAt(channel).flatMap(({ tool, canaries }) =>
        canaries.flatMap(canary => (text.includes(JSON.stringify(canary).slice(1, -1)) ? [] : [`${tool}: ${canary}`])),
      )
    },
    written,
    paint,
    whole,
    shownAt,
    yesAt,
    post,
    read,
    turnAt,
    callWithForms,
    async [Symbol.asyncDispose]() {
      await oracle.app.close()
      await homeserver.down()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
