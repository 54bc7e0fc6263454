// Erases a person with thousands of turns in long and in many sessions, while others ask for the health of the oracle.
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startFilled } from './frame/start-filled.ts'
import { watchHealth } from './frame/watch-health.ts'

/** The columns of core that the script writes. */
type Tables = Record<
  'core_sessions' | 'core_messages' | 'core_turns' | 'core_turn_events',
  Record<string, string | number | null>
>

const limitMs = 50
/** Thousands of sessions must be gone within the 30 s of an erasure. */
const maxSessionMs = 3.5
const perWrite = 100
const text = 'All is well. '.repeat(100)
const parts = JSON.stringify([{ type: 'text', text }])

/** Writes a session with so many turns, each with a message, an answer and its events. */
const write = async (storage: Storage<Tables>, owner: string, sessions: readonly number[]): Promise<void> => {
  for (const [session, turns] of sessions.entries()) {
    const id = `s${session}`
    const row = { owner, id, title: 't', loaded_plugins: '[]', approved_tools: '[]', first_turn: '', bytes: 0 }
    await storage.write(tx =>
      tx
        .insertInto('core_sessions')
        .values({ ...row, created_at: session, updated_at: session })
        .execute(),
    )
    for (let from = 0; from < turns; from += perWrite) {
      const some = Array.from({ length: Math.min(perWrite, turns - from) }, (_, index) => from + index)
      const turn = {
        owner,
        session_id: id,
        channel: 'chat',
        actor: '{}',
        text,
        status: 'done',
        usage: '{}',
        process_id: '',
      }
      const ended = {
        admitted: 1,
        heartbeat_at: 1,
        reader_seen_at: 1,
        followed_at: 0,
        stop_requested: 0,
        hooks_called: 1,
      }
      await storage.write(async tx => {
        await tx
          .insertInto('core_turns')
          .values(
            some.map(n => ({ ...turn, ...ended, id: `${id}-t${n}`, answer_id: `a${n}`, started_at: n, ended_at: n })),
          )
          .execute()
        const message = { owner, session_id: id, parts, metadata: '{}', created_at: 1 }
        await tx
          .insertInto('core_messages')
          .values(
            some.flatMap(n => [
              { ...message, id: `m${n}`, position: 2 * n, role: 'user', turn_id: `${id}-t${n}` },
              { ...message, id: `a${n}`, position: 2 * n + 1, role: 'assistant', turn_id: `${id}-t${n}` },
            ]),
          )
          .execute()
        await tx
          .insertInto('core_turn_events')
          .values(some.map(n => ({ turn_id: `${id}-t${n}`, first_id: 1, body: text, created_at: 1 })))
          .execute()
      })
    }
  }
}

await runFault({
  name: 'long-erasure',
  count: 3_650,
  quick: 2_000,
  defences: ['log-emptied-once'],
  async run(script) {
    await using database = await openFaultDatabase(script, 'sqlite')
    const key = createSigningKey()
    const short = Array.from({ length: script.count }, () => 1)
    const fill = (storage: Storage<Tables>) => write(storage, key.did, [script.count, ...short])
    await using oracle = await startFilled(database.url, fill, {
      file: 'frame/plain-oracle.ts',
      env: { ORACLE_MNEMONIC: createMnemonic(12).reveal() },
      without: script.without,
    })
    const actor = oracle.actor(key)
    const from = performance.now()
    let status = 0
    const { p95, longest } = await watchHealth(oracle, async () => {
      const response = await actor.request('/me', { method: 'DELETE' })
      status = response.status
      await response.text()
    })
    script.figure('turns, sessions', `${2 * script.count}, ${script.count + 1}`)
    const tookMs = performance.now() - from
    script.figure('status, seconds', `${status}, ${Math.round(tookMs) / 1000}`)
    script.atMost('ms for each session', Math.round((10 * tookMs) / (script.count + 1)) / 10, maxSessionMs)
    script.figure('health, longest ms', longest)
    script.atMost('health, 95 of 100 within ms', p95, limitMs)
    const { sessions } = (await (await oracle.actor(key).request('/sessions')).json()) as { sessions: unknown[] }
    script.atMost('sessions left', sessions.length, 0)
  },
})
