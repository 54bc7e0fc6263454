import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { key, start } from './openai.test.support.ts'

const other = 'k-other-0123456789'
const env = { ORACLE_API_KEYS: `webui:${key}:*,plain:${other}:*`, ORACLE_USER_FORWARDERS: 'webui' }

const messages = [{ role: 'user', content: 'Hi' }]
const turns = {
  '/v1/chat/completions': { messages },
  '/openai/v1/chat/completions': { messages },
  '/openai/deployments/any/chat/completions': { messages },
  '/v1/responses': { input: 'Hi' },
  '/openai/responses': { input: 'Hi' },
  '/v1/messages': { model: 'x', max_tokens: 9, messages },
  '/api/chat': { model: 'x', messages, stream: false },
}
const reads = ['/v1/models', '/v1/models/any', '/api/tags', '/me']

/** The headers in which clients send a key. */
const forms = {
  authorization: (sent: string) => ({ authorization: `Bearer ${sent}` }),
  'api-key': (sent: string) => ({ 'api-key': sent }),
  'x-api-key': (sent: string) => ({ 'x-api-key': sent }),
}
type Form = keyof typeof forms

const open = async () => {
  const { oracle } = await start({ env, model: scriptedModel(Array.from({ length: 20 }, () => 'Hello.')) })
  const send = (path: string, as: Record<string, string>, body?: object) =>
    oracle.app.request(path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...as },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const sessionsOf = async (sent: string, user?: string): Promise<number> => {
    const as = { ...forms.authorization(sent), ...(user ? { 'x-openwebui-user-id': user } : {}) }
    return (await (await send('/sessions', as)).json()).sessions.length
  }
  return { send, sessionsOf }
}

test.each(Object.entries(turns))(
  '%s runs a turn of the user named by a trusted key in any header',
  async (path, body) => {
    const { send, sessionsOf } = await open()
    let sent = 0
    for (const form of Object.keys(forms) as Form[]) {
      // Each body is another: a repeat would join the turn of the first.
      const asked = { ...body, user: form }
      const ada = { ...forms[form](key), 'x-openwebui-user-id': 'ada' }
      expect((await send(path, ada, asked)).status, form).toBe(200)
      sent += 1
      expect([await sessionsOf(key, 'ada'), await sessionsOf(key, 'bob'), await sessionsOf(key)]).toEqual([sent, 0, 0])
    }
    const untrusted = { ...forms['api-key'](other), 'x-openwebui-user-id': 'ada' }
    expect((await send(path, untrusted, body)).status).toBe(200)
    expect([await sessionsOf(other), await sessionsOf(key, 'ada')]).toEqual([1, sent])
    expect((await send(path, forms['api-key']('k-unknown-0123456789'), body)).status).toBe(401)
    expect((await send(path, {}, body)).status).toBe(401)
  },
)

test('routes that read take a key in any header', async () => {
  const { send } = await open()
  for (const path of reads) {
    for (const form of Object.values(forms)) expect((await send(path, form(key))).status, path).toBe(200)
    expect((await send(path, {})).status, path).toBe(401)
  }
  const count = '/v1/messages/count_tokens'
  expect((await send(count, forms['x-api-key'](key), turns['/v1/messages'])).status).toBe(200)
  expect((await send(count, {}, turns['/v1/messages'])).status).toBe(401)
})

test.each(['/v1/responses', '/openai/responses'])('a response at %s belongs to the user who was named', async path => {
  const { send } = await open()
  const as = (user: string) => ({ ...forms['api-key'](key), 'x-openwebui-user-id': user })
  const { id } = await (await send(path, as('ada'), { input: 'Hi' })).json()
  expect((await send(`${path}/${id}`, as('ada'))).status).toBe(200)
  expect((await send(`${path}/${id}`, as('bob'))).status).toBe(404)
  expect((await send(`${path}/${id}`, forms['api-key'](key))).status).toBe(404)
})

test('GET /me names the caller that turns have', async () => {
  const { send } = await open()
  const didOf = async (as: Record<string, string>): Promise<string> => (await (await send('/me', as)).json()).did
  const named = await Promise.all(
    Object.values(forms).map(form => didOf({ ...form(key), 'x-openwebui-user-id': 'ada' })),
  )
  const [bob, plain] = [
    await didOf({ ...forms['api-key'](key), 'x-openwebui-user-id': 'bob' }),
    await didOf(forms['api-key'](key)),
  ]
  expect([new Set(named).size, new Set([named[0], bob, plain]).size]).toEqual([1, 3])
  const untrusted = { ...forms.authorization(other), 'x-openwebui-user-id': 'ada' }
  expect(await didOf(untrusted)).toBe(await didOf(forms.authorization(other)))
})
