import type { Actor, Host } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { till } from '../testing/till.ts'

const phone: Actor = { did: 'did:key:z6MkphoneUser', via: 'ussd', scopes: ['chat/send'] }

const oracleWith = async (steps: readonly ScriptedStep[] | 'offline') => {
  const ready = Promise.withResolvers<Pick<Host, 'turns' | 'storage'>>()
  const later = samplePlugin('later', {
    setup: (host: Host) => {
      ready.resolve(host)
      return {}
    },
  })
  const { parts, payments } = till()
  const model = scriptedModel(steps === 'offline' ? [] : steps)
  const oracle = await testApp({ plugins: [later, officePlugin(parts)], ...(steps === 'offline' ? {} : { model }) })
  const { turns, storage } = await ready.promise
  const { did } = oracle.actor
  const post = (text: string, dedupeKey = text, session = 's1') => turns.post({ did, session, text, dedupeKey })
  const messages = async (session = 's1') => {
    const answer = await oracle.actor.request(`/sessions/${session}`)
    const body = (await answer.json()) as { title: string; messages: Report[] }
    return body.messages.map(
      ({ role, parts: [...all] }) => `${role}: ${all.map(part => part.text ?? part.type).join()}`,
    )
  }
  return { oracle, turns, storage, post, messages, payments, model, [Symbol.asyncDispose]: () => oracle.app.close() }
}

interface Report {
  readonly role: string
  readonly parts: readonly { readonly type: string; readonly text?: string }[]
  readonly metadata: object
}

const rolesOf = (prompt: readonly { readonly role: string }[] | undefined) =>
  prompt?.flatMap(({ role }) => (role === 'system' ? [] : [role]))

describe('a message posted by the oracle', () => {
  test('creates the session, is stored once per key, and alternates roles for the model', async () => {
    await using app = await oracleWith(['It was the harvest report.', 'Still here.'])
    await Promise.all([app.post('Report: 12 bags.', 'run/1'), app.post('Report: 12 bags.', 'run/1')])
    await app.post('Report: 14\0 bags.', 'run/2')
    await app.post('again', 'run/2')
    expect(await app.messages()).toEqual(['assistant: Report: 12 bags.', 'assistant: Report: 14\ufffd bags.'])
    const listed = (await (await app.oracle.actor.request('/sessions')).json()) as { sessions: { title: string }[] }
    expect(listed.sessions).toMatchObject([{ title: 'Report: 12 bags.' }])
    const { text } = await app.oracle.chat('What was that?', { session: 's1' })
    expect(text).toBe('It was the harvest report.')
    const prompt = app.model.calls[0]?.prompt
    expect(rolesOf(prompt)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(JSON.stringify(prompt)).toContain('Report: 12 bags.')
    await app.post('Report: 15 bags.')
    await app.oracle.chat('And now?', { session: 's1' })
    expect(rolesOf(app.model.calls[1]?.prompt)?.join(' ')).toMatch(/^(user assistant )+user$/)
    expect((await app.turns.transcripts(app.oracle.actor.did))[0]?.messages.length).toBe(7)
  })

  test('is part of a transaction of its plugin, unless a turn runs', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await oracleWith([['wait', { wait: gate.promise }]])
    const { did } = app.oracle.actor
    const within = (text: string, fails = false) =>
      app.storage.write(async tx => {
        const isPrinted = await app.turns.postWithin(tx, { did, session: 's1', text, dedupeKey: text })
        if (fails) throw new Error('It is taken back.')
        return isPrinted
      })
    await expect(within('never', true)).rejects.toThrow('taken back')
    expect(await within('news')).toBe(true)
    const talking = await streamReader(app.oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
    await talking.until('text-delta')
    expect([await within('news'), await within('more')]).toEqual([true, false])
    expect(await app.turns.stop({ ...phone, did }, { session: 's1' })).toBe(true)
    await talking.rest()
    expect(await app.messages()).toEqual(['assistant: news', 'user: hi', 'assistant: step-start,wait'])
  })

  test('waits for the running turn, and closes no open question', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await oracleWith([
      ['wait', { wait: gate.promise }],
      { tool: 'pay', input: { amount: 5 } },
      'paid',
      'yes',
    ])
    const first = await streamReader(app.oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
    await first.until('text-delta')
    let isPosted = false
    const posting = app.post('news').then(() => {
      isPosted = true
    })
    await app.post('elsewhere', 'elsewhere', 's2')
    expect(isPosted).toBe(false)
    gate.resolve()
    await first.rest()
    await posting
    expect(await app.messages()).toEqual(['user: hi', 'assistant: step-start,wait', 'assistant: news'])
    const { events } = await app.oracle.chat('pay 5', { session: 's1' })
    const asked = events.find(({ type }) => type === 'tool-approval-request')
    await app.post('more news')
    const decided = await app.oracle.actor.request(`/chat/s1/approvals/${String(asked?.approvalId)}`, {
      json: { decision: 'once' },
    })
    expect((await readStream(decided)).text).toBe('paid')
    expect(app.payments.length).toBe(1)
    expect(app.model.calls[2]?.prompt.at(-1)?.role).toBe('tool')
    await app.oracle.chat('what else?', { session: 's1' })
    expect(JSON.stringify(app.model.calls[3]?.prompt)).toContain('more news')
    expect(app.model.calls[3]?.prompt.at(-1)?.role).toBe('user')
  })

  test('is removed with the answer when the question before it is regenerated', async () => {
    await using app = await oracleWith(['one', 'two'])
    const regenerate = (messageId: unknown) =>
      app.oracle.actor.request('/chat', { json: { id: 's1', trigger: 'regenerate-message', messageId } })
    await app.post('first news')
    const { messages } = (await (await app.oracle.actor.request('/sessions/s1')).json()) as {
      messages: { id: string }[]
    }
    expect((await regenerate(messages[0]?.id)).status).toBe(404)
    await app.post('more news')
    const after = async (id: unknown) => {
      const answer = await app.oracle.actor.request(`/sessions/s1?after=${id}`)
      return answer.status === 200 ? (await answer.json()).messages.length : answer.status
    }
    expect([await after(messages[0]?.id), await after('gone'), await after('%00'), await after('')]).toEqual([
      1, 2, 400, 400,
    ])
    await app.oracle.chat('question', { session: 's1' })
    await app.post('news')
    const all = (await (await app.oracle.actor.request('/sessions/s1')).json()) as { messages: { id: string }[] }
    expect((await readStream(await regenerate(all.messages.at(-1)?.id))).text).toBe('two')
    expect(await app.messages()).toEqual([
      'assistant: first news',
      'assistant: more news',
      'user: question',
      'assistant: step-start,two',
    ])
  })

  test('is neither a question nor a reply to the offline model', async () => {
    await using app = await oracleWith('offline')
    const before = await app.oracle.chat('hello', { session: 's1' })
    await app.post('Shall I go on?')
    const after = await app.oracle.chat('hello', { session: 's1' })
    expect(after.text).toBe(before.text)
  })
})
