/** @module-tag long */
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type Tool } from '@sibyl/plugin'
import { type ScriptedStep, type StreamedEvent, scriptedModel, streamReader, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

/** Returns a reproducible pseudorandom generator (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const finals = new Set(['finish', 'abort', 'error'])

test('many users who write, leave, return and stop at random leave no session stuck and no call repeated', async () => {
  const random = randomFrom(7)
  const pick = <Choice>(choices: readonly Choice[]) => choices[Math.floor(random() * choices.length)]!
  const keys: string[] = []
  const work = defineTool({
    description: 'Works a while.',
    input: z.object({}),
    effect: 'write',
    execute: async (_, { idempotencyKey, signal }) => {
      keys.push(idempotencyKey)
      await sleep(5, undefined, { signal })
      return 'worked'
    },
  }) as Tool
  const step = (): ScriptedStep => () =>
    pick<ScriptedStep>([
      'a short answer',
      ['thinking ', { wait: sleep(5) }, 'aloud ', { wait: sleep(5) }, 'at length'],
      { tool: 'work' },
      ['first ', { tool: 'work' }],
      { error: new Error('x') },
    ]) as never
  const oracle = await testApp({
    plugins: [officePlugin({ tools: { work } })],
    model: scriptedModel(Array.from({ length: 5_000 }, step)),
  })
  const { actor } = oracle

  const endOf = (events: readonly StreamedEvent[]) => events.filter(({ type }) => finals.has(type)).length
  const converse = async (session: string) => {
    for (let round = 0; round < 12; round += 1) {
      const json = { id: session, message: { id: `m${round}`, role: 'user', parts: [{ type: 'text', text: 'go' }] } }
      const answer = await actor.request('/chat', { json })
      if (answer.status === 409) {
        await answer.text()
        continue
      }
      const reader = await streamReader(answer)
      const whim = random()
      if (whim < 0.25) {
        await reader.next()
        await reader.leave()
        if (whim < 0.1) {
          const again = await actor.request(`/chat/${session}/stream`)
          if (again.status === 200) expect(endOf((await (await streamReader(again)).rest()).events)).toBe(1)
        }
      } else if (whim < 0.45) {
        const stop = actor.request(`/chat/${session}/stop`, { method: 'POST' })
        const { events, done } = await reader.rest()
        expect([endOf(events), done]).toEqual([1, true])
        expect((await stop).status).toBe(200)
      } else {
        const { events, done } = await reader.rest()
        expect([endOf(events), done]).toEqual([1, true])
      }
    }
  }
  const sessions = Array.from({ length: 20 }, (_, index) => `s${index}`)
  await Promise.all(sessions.map(converse))
  for (const session of sessions) {
    await actor.request(`/chat/${session}/stop`, { method: 'POST' })
    const { messages, runningTurn } = await (await actor.request(`/sessions/${session}`)).json()
    expect(runningTurn).toBeUndefined()
    const roles = messages.map(({ role }: { role: string }) => role).join(' ')
    expect(roles).toMatch(/^(user( assistant)? ?)+$/)
    const parts = messages.flatMap(({ parts }: { parts: { type: string; state?: string }[] }) => parts)
    const open = parts.filter(
      (part: { type: string; state?: string }) => part.type === 'tool-work' && !/^output-/.test(part.state ?? ''),
    )
    expect(open).toEqual([])
  }
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.length).toBeGreaterThan(20)
  await oracle.app.close()
})
