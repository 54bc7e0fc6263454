import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { readStream, type ScriptedStep, scriptedModel, type TestApp, testActor, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { everythingOn } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'

/** An oracle with every plugin and a controller, whose credentials are as narrow as a test makes them. */
const oracleOfController = async (steps: readonly ScriptedStep[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-narrow-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const key = createSigningKey()
  const env = { ...everythingOn(folder), ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: key.did }
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins: bundledPlugins(), env, model })
  return { oracle, model, controller: testActor(oracle.app, Date.now, key) }
}

/** Exchanges an invocation of the controller for a bearer. */
const bearerOf = async (controller: TestApp['actor'], scopes: readonly string[]): Promise<string> => {
  const answer = await controller.request('/auth/token', { json: { scopes } })
  return (await answer.json()).token
}

const post = (oracle: TestApp, bearer: string, path: string, json: object) =>
  oracle.app.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })

const calls: Readonly<Record<string, object>> = {
  issue_credential: { type: 'Test', subject: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' },
  revoke_credential: { id: `urn:uuid:${crypto.randomUUID()}`, reason: 'a test' },
  evaluate_claim: { id: crypto.randomUUID() },
  create_entity: { type: 'Stove' },
  search_entities: { query: 'stove' },
  list_claims: {},
  remember: { text: 'Ada is allergic to nuts' },
  recall: { query: 'nuts' },
  list_files: {},
  write_file: { path: 'a.txt', text: 'a' },
  create_task: { what: 'Do it', when: { inMinutes: 10 } },
  list_tasks: {},
  get_balance: {},
  get_preferences: {},
  set_preferences: { patch: { name: 'Ada' } },
  send_sms: { to: '+260971234567', text: 'hi' },
  list_messages: {},
  send_matrix_message: { room: 'Field', text: 'hi' },
  read_output: { id: 'x' },
}

test('a bearer of a controller that may only chat gets no further by chat than by routes', async () => {
  const names = ['entities', 'claims', 'credentials', 'sms', 'matrix', 'files', 'tasks', 'sandbox']
  const load = { tool: 'load_capability', input: { names } }
  const wanted = Object.entries(calls).map(([tool, input]) => ({ tool, input, id: tool }))
  const { oracle, model, controller } = await oracleOfController([load, wanted, 'sorry'])
  await using _ = oracle
  const bearer = await bearerOf(controller, ['chat/send', 'session/read'])
  expect((await post(oracle, bearer, '/credentials/issue', {})).status).toBe(403)
  const { events, text } = await readStream(await post(oracle, bearer, '/chat', { id: 's', message: 'do it all' }))
  expect(text).toBe('sorry')
  expect(events.filter(({ type }) => type === 'tool-approval-request')).toEqual([])
  const refused = events.flatMap(({ type, toolCallId, errorText }) =>
    type === 'tool-input-error' || type === 'tool-output-error' ? [[toolCallId, errorText]] : [],
  )
  expect(Object.fromEntries(refused)).toEqual(
    Object.fromEntries(
      Object.keys(calls).map(tool => [
        tool,
        expect.stringMatching(/requires the ability .*, which this caller does not/),
      ]),
    ),
  )
  expect(Object.keys(calls).filter(tool => model.calls.some(({ tools }) => tools.includes(tool)))).toEqual([])
})

test('what is known about a person joins a turn of credentials that may read it, and of no others', async () => {
  const reported = [
    { tool: 'remember', input: { text: 'Otters are what Ada likes' } },
    { tool: 'set_preferences', input: { patch: { name: 'Adaline' } } },
    'Noted.',
  ]
  const { oracle, model, controller } = await oracleOfController([...reported, 'one', 'two', 'three', 'four'])
  await using _ = oracle
  const send = async (abilities: readonly string[], session: string) => {
    const json = { id: session, message: 'Tell me about otters' }
    await readStream(await controller.request('/chat', { json, abilities }))
    const sent = JSON.stringify(model.calls.at(-1)?.prompt.filter(({ role }) => role === 'user'))
    return [sent.includes('what Ada likes'), sent.includes('Adaline')]
  }
  await send(['*'], 'zero')
  expect(await send(['chat/*'], 'one')).toEqual([true, true])
  expect(await send(['chat/send'], 'two')).toEqual([false, false])
  expect(await send(['chat/send', 'memory/read'], 'three')).toEqual([true, false])
  expect(await send(['chat/send', 'user-preferences/read'], 'four')).toEqual([false, true])
})

test('attachments are files of the caller: they need a right to write files', async () => {
  const { oracle, controller } = await oracleOfController(['ok'])
  await using _ = oracle
  const file = { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain,hello' }
  const send = (url: string, abilities: readonly string[]) =>
    controller.request('/chat', {
      json: {
        message: {
          role: 'user',
          parts: [
            { type: 'text', text: 'look' },
            { ...file, url },
          ],
        },
      },
      abilities,
    })
  for (const abilities of [['chat/send'], ['chat/send', 'files/read']]) {
    const refused = await send(file.url, abilities)
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'scope_missing'])
  }
  const known = await send('/files/content/a.txt', ['chat/send', 'files/write'])
  expect([known.status, (await known.json()).code]).toEqual([403, 'scope_missing'])
  expect((await readStream(await send(file.url, ['chat/send', 'files/write']))).text).toBe('ok')
})

test('files in messages are shown only to callers that may read files', async () => {
  const { oracle, model, controller } = await oracleOfController(['ok', 'ok', 'ok', 'ok'])
  await using _ = oracle
  const picture = { type: 'file', mediaType: 'image/png', filename: 'a.png', url: onePixel }
  const send = async (parts: readonly object[], abilities: readonly string[]) => {
    const json = { id: 's', message: { role: 'user', parts } }
    await readStream(await controller.request('/chat', { json, abilities }))
    return JSON.stringify(model.calls.at(-1)?.prompt).includes('You cannot see its content here')
  }
  const again = [{ type: 'text', text: 'What was on it?' }]
  expect(await send([{ type: 'text', text: 'Look' }, picture], ['chat/send', 'files/write'])).toBe(false)
  expect(await send(again, ['chat/send', 'files/write'])).toBe(true)
  expect(await send(again, ['chat/send'])).toBe(true)
  expect(await send(again, ['chat/send', 'files/read'])).toBe(false)

  const urlFor = async (abilities: readonly string[]) => {
    const { messages } = await (await controller.request('/sessions/s', { abilities })).json()
    return messages[0].parts.find(({ type }: { type: string }) => type === 'file').url
  }
  expect(await urlFor(['session/read'])).toMatch(/^\/files\/content\?path=attachments/)
  expect(await urlFor(['session/read', 'files/write'])).toMatch(/^\/files\/content\?path=attachments/)
  expect(await urlFor(['session/read', 'files/read'])).toContain('/files/signed/')
  expect(await urlFor(['session/read', 'chat/personal'])).toContain('/files/signed/')
})

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
