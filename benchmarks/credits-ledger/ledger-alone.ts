import { credits } from '@sibyl/plugin-credits'
import { openStorage } from '@sibyl/storage'
import { ledgerHooks } from './ledger-hooks.ts'

/** Load of the ledger. */
export interface LedgerLoad {
  readonly turns: number
  readonly atOnce: number
  readonly persons: number
}

/**
 * Holds and charges turns that never run, by the hooks of the plugin alone.
 *
 * @returns how many transactions were written, and in which time
 */
export const runLedgerAlone = async (
  url: string,
  { turns, atOnce, persons }: LedgerLoad,
): Promise<{ readonly transactions: number; readonly seconds: number }> => {
  const storage = await openStorage({ url })
  const plugin = credits()
  await storage.migrate(plugin.name, plugin.migrations)
  const { before, after } = await ledgerHooks(storage)
  const run = crypto.randomUUID()
  let next = 0
  const worker = async () => {
    for (let index = next++; index < turns; index = next++) {
      const actor = { did: `did:example:${index % persons}`, via: 'ucan', scopes: [] } as const
      const record = { id: `${run}-${index}`, actor, sessionId: 's', text: 'x', channel: 'chat', startedAt: 0 } as const
      const session = { id: 's', loadedPlugins: [] }
      const refusal = await before({ ...record, session, signal: new AbortController().signal })
      if (refusal) throw new Error(refusal.detail)
      const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 1 }
      await after(record, { outcome: 'done', usage, model: 'm', tools: {}, complete: true })
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, worker))
  const seconds = (performance.now() - started) / 1000
  await storage.close()
  return { transactions: turns * 2, seconds }
}
