import type { TurnHooks } from '@sibyl/plugin'
import { makeShareOf } from '@sibyl/plugin/host'
import { credits } from '@sibyl/plugin-credits'
import type { Storage } from '@sibyl/storage'

/** The hooks by which the ledger holds and charges a turn. */
export type LedgerHooks = Required<Pick<TurnHooks, 'before' | 'after'>>

/** Sets up the credits plugin alone, and returns its hooks. */
export const ledgerHooks = async (storage: Storage): Promise<LedgerHooks> => {
  const plugin = credits()
  const quiet = () => {}
  const host = {
    env: { CREDITS_DEFAULT_GRANT: '1000000' },
    oracle: { name: 'Benchmark', price: '1 credit a turn' },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    clock: { now: () => Date.now() },
    storage,
    jobs: { define: quiet, schedule: async () => {} },
    limits: { shareOf: makeShareOf({ access: 'delegated', percent: 100, isTrusted: () => false }) },
  }
  const { turn } = await plugin.setup(host as unknown as Parameters<typeof plugin.setup>[0])
  if (!turn?.before || !turn.after) throw new Error('The plugin has no hooks.')
  return turn as LedgerHooks
}
