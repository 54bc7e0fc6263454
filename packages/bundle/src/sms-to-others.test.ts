import { createSigningKey } from '@sibyl/identity'
import { fakeClock } from '@sibyl/storage/testing'
import { testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { bundledPlugins } from './bundled-plugins.ts'

const phone = '+260971234567'
const operatorToken = 'operator-token-of-the-tests-01'

/** An oracle with sms and tasks, and a caller whom the operator trusts. */
const openOracle = async (env: Readonly<Record<string, string>>) => {
  const clock = fakeClock()
  const key = createSigningKey()
  const oracle = await testApp({
    plugins: bundledPlugins().filter(({ name }) => ['sms', 'tasks'].includes(name)),
    env: {
      SMS_PROVIDER: 'embedded:',
      ORACLE_OPERATOR_TOKEN: operatorToken,
      ORACLE_CONTROLLERS: key.did,
      ...env,
    },
    clock,
  })
  const actor = (own = createSigningKey()) => testActor(oracle.app, () => clock.now(), own)
  return {
    clock,
    stranger: actor(),
    controller: actor(key),
    async outbox() {
      const headers = { authorization: `Bearer ${operatorToken}` }
      const { messages } = await (await oracle.app.request('/sms/outbox', { headers })).json()
      return messages as { readonly purpose: string; readonly text: string }[]
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

const reminder = { what: 'The pump is fixed', remind: true, when: { inMinutes: 1 }, deliver: { sms: phone } }

test.each(['open', 'delegated'])('with %s access, no task sends an SMS to an unlinked phone', async mode => {
  await using oracle = await openOracle({ ORACLE_ACCESS: mode })
  const callers = mode === 'open' ? [oracle.stranger, oracle.controller] : [oracle.controller]
  for (const { request } of callers) {
    for (const path of ['/tasks', '/tasks/preview']) {
      const refused = await request(path, { json: reminder })
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({ code: 'sms_phone_not_own' })
    }
  }
  await oracle.clock.advance(180_000)
  expect(await oracle.outbox()).toEqual([])
})

test('a task reaches a phone that its owner linked, until it is linked no longer', async () => {
  await using oracle = await openOracle({ ORACLE_ACCESS: 'delegated' })
  const { request } = oracle.controller
  await request('/sms/phones', { json: { to: phone } })
  await expect.poll(oracle.outbox).toMatchObject([{ purpose: 'code' }])
  const code = /\d{6}/.exec((await oracle.outbox())[0]?.text ?? '')?.[0]
  const { id } = await (await request('/sms/phones/confirm', { json: { to: phone, code } })).json()
  for (const when of [{ inMinutes: 1 }, { inMinutes: 10 }])
    expect((await request('/tasks', { json: { ...reminder, when } })).status).toBe(201)
  await oracle.clock.advance(70_000)
  await expect.poll(async () => (await oracle.outbox()).map(({ purpose }) => purpose)).toEqual(['notice', 'code'])
  expect((await request(`/sms/phones/${id}`, { method: 'DELETE' })).status).toBe(204)
  await oracle.clock.advance(600_000)
  const violations = async () => {
    const { tasks } = await (await request('/tasks?all=true')).json()
    const runs = await Promise.all(
      (tasks as { id: string }[]).map(async task => (await request(`/tasks/${task.id}/runs`)).text()),
    )
    return runs.filter(text => text.includes('No phone of yours is known')).length
  }
  await expect.poll(violations).toBe(1)
  expect(await oracle.outbox()).toHaveLength(2)
})
