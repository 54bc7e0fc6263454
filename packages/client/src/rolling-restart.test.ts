/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createMnemonic } from '@sibyl/identity'
import { createSigningKey } from '@sibyl/identity/browser'
import { pause } from '@sibyl/plugin'
import { sharePostgres } from '@sibyl/storage/testing'
import { testProgram } from '@sibyl/testing/program'
import { afterAll, expect, test } from 'vitest'
import { startBalancingProxy } from './balancing-proxy.test.helper.ts'
import { createClient, type OracleClient } from './create-client.ts'
import { ClientError } from './errors/client-error.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const file = await testProgram(new URL('./rolling-oracle.test.helper.ts', import.meta.url))

const startOracle = async (databaseUrl: string, mnemonic: string, graceSeconds: number) => {
  const args = ['--conditions=sibyl-source', file, databaseUrl, mnemonic, String(graceSeconds)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const gone = ended.then(() => Promise.reject(new Error('an oracle ended before it listened')))
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])
  gone.catch(() => {})
  return {
    port: Number(line),
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
  }
}

/** What a person knows of one message. */
interface Message {
  readonly messageId: string
  readonly turnId: string
  readonly final: string
  readonly numbers: readonly number[]
}

/** Says one message until it is answered with a final event, as a program does that holds on to its message id. */
const sendOnce = async (client: OracleClient, sessionId: string, messageId: string): Promise<Message> => {
  for (;;) {
    try {
      const turn = await client.chat(messageId, { sessionId, messageId })
      const numbers: number[] = []
      let final = ''
      for await (const { number, event } of turn.events) {
        numbers.push(number)
        if (['finish', 'abort', 'error'].includes(event.type))
          final += event.type === 'error' ? JSON.stringify(event) : event.type
      }
      return { messageId, turnId: turn.turnId, final, numbers }
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      await pause(100)
    }
  }
}

test('two processes restarted in turn behind a proxy: no message is lost, every turn continues to its end', async () => {
  const databaseUrl = (await postgres?.createDatabase()) ?? ''
  const mnemonic = createMnemonic(12).reveal()
  const proxy = await startBalancingProxy()
  const graces = [0, 5]
  const oracles = await Promise.all(graces.map(grace => startOracle(databaseUrl, mnemonic, grace)))
  const announce = () => {
    proxy.backends = oracles.map(({ port }) => port)
  }
  announce()

  let restarting = true
  let answered = 0
  const chatters = Array.from({ length: 4 }, async (_, person) => {
    const client = createClient({ url: proxy.url, signer: createSigningKey() })
    const texts: Message[] = []
    for (let n = 0; restarting || n < 5; n += 1) {
      texts.push(await sendOnce(client, `s${person}`, `m${n}`))
      answered += 1
    }
    return { client, sessionId: `s${person}`, said: texts }
  })

  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGTERM', 'SIGKILL']
  for (const [round, signal] of signals.entries()) {
    const place = round % 2
    const before = answered
    await expect.poll(() => answered - before).toBeGreaterThan(3)
    const { port, end } = oracles[place]!
    await expect.poll(() => proxy.streaming(port)).toBeGreaterThan(0)
    await end(signal)
    oracles[place] = await startOracle(databaseUrl, mnemonic, graces[place]!)
    announce()
  }
  restarting = false

  for (const { client, sessionId, said } of await Promise.all(chatters)) {
    for (const { final, numbers } of said) {
      expect(final).toBe('finish')
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    }
    const { messages } = await client.sessions.get(sessionId)
    expect(messages.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual(
      said.map(({ messageId }) => messageId),
    )
    for (const one of said.slice(-5)) {
      expect(await sendOnce(client, sessionId, one.messageId)).toMatchObject({ turnId: one.turnId, final: one.final })
    }
  }
  expect(proxy.broken()).toBeGreaterThan(0)
  await Promise.all(oracles.map(one => one.end('SIGKILL')))
  await proxy.close()
})
