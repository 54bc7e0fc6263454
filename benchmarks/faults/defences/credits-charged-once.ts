// A turn that is reported again is charged again.
import { replaceSource } from '../frame/replace-source.ts'

const file = 'packages/plugins/credits/src/ledger/settle-turn.ts'

replaceSource([
  {
    file,
    find: ".onConflict(conflict => conflict.column('turn').doNothing())",
    replace: ".onConflict(conflict => conflict.column('turn').doUpdateSet({ amount: cost }))",
  },
  { file, find: 'key: `charge:', replace: 'key: Math.random() + `charge:' },
  {
    file: 'packages/plugins/credits/src/turn-billing.ts',
    find: 'await storage.write(tx => settleTurn(tx, policy, { record, end, cost, now: clock.now() }), decidedByRows)',
    replace: `await storage.write(tx => settleTurn(tx, policy, { record, end, cost, now: clock.now() }), decidedByRows)
      const isOwn = record.startedAt > Date.now() - process.uptime() * 1000
      if (isOwn) await new Promise(resolve => setTimeout(resolve, 300))`,
  },
])
