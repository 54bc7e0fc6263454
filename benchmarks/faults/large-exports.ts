// Two people export conversations that are larger than the heap of the oracle, while others ask for its health.
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startFilled } from './frame/start-filled.ts'
import { watchHealth } from './frame/watch-health.ts'

/** The columns of core that the script writes. */
interface Tables {
  core_sessions: Record<string, string | number | null>
  core_messages: Record<string, string | number | null>
}

const heapMegabytes = 256
const perSession = 20
const text = 'All is well. '.repeat(8_000)

/** Writes sessions of 2 MB. */
const write = async (storage: Storage<Tables>, owner: string, sessions: number): Promise<void> => {
  const parts = JSON.stringify([{ type: 'text', text }])
  for (let session = 0; session < sessions; session += 1) {
    await storage.write(async tx => {
      const row = { owner, id: `s${session}`, title: 't', loaded_plugins: '[]', approved_tools: '[]', first_turn: '' }
      await tx
        .insertInto('core_sessions')
        .values({ ...row, created_at: session, updated_at: session })
        .execute()
      const messages = Array.from({ length: perSession }, (_, position) => ({
        owner,
        session_id: `s${session}`,
        id: `m${position}`,
        position,
        turn_id: '',
        role: 'user',
        parts,
        metadata: '{}',
        created_at: session,
      }))
      await tx.insertInto('core_messages').values(messages).execute()
    })
  }
}

/** Reads a response and returns its size in bytes; -1 if it broke off. */
const sizeOf = async (response: Response): Promise<number> => {
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return bytes
  } catch {
    return -1
  }
}

await runFault({
  name: 'large-exports',
  count: 500,
  quick: 200,
  defences: ['exports-in-chunks'],
  async run(script) {
    await using database = await openFaultDatabase(script, 'sqlite')
    const keys = [createSigningKey(), createSigningKey()]
    const fill = async (storage: Storage<Tables>) => {
      for (const { did } of keys) await write(storage, did, script.count)
    }
    await using oracle = await startFilled(database.url, fill, {
      file: 'frame/plain-oracle.ts',
      env: { ORACLE_MNEMONIC: createMnemonic(12).reveal() },
      nodeOptions: [`--max-old-space-size=${heapMegabytes}`],
      without: script.without,
    })
    const from = performance.now()
    let sizes: readonly number[] = []
    const { p95 } = await watchHealth(oracle, async () => {
      sizes = await Promise.all(
        keys.map(async key =>
          sizeOf(
            await oracle
              .actor(key)
              .request('/me/export')
              .catch(() => new Response('')),
          ),
        ),
      )
    })
    const wanted = script.count * perSession * text.length
    script.figure('export of each, MB', Math.round(wanted / 1e6))
    script.figure('seconds', Math.round((performance.now() - from) / 100) / 10)
    script.figure('health, 95 of 100 within ms', p95)
    script.atLeast('process alive', Number(oracle.alive), 1)
    for (const size of sizes) script.atLeast('bytes of an export', size, wanted)
  },
})
