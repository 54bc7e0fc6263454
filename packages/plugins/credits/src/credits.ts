import { definePlugin, every, provide, utcDay } from '@sibyl/plugin'
import { turnPrices } from '@sibyl/protocol'
import { creditTools } from './credit-tools.ts'
import { formatAmount } from './definitions/amounts.ts'
import { creditsEnv } from './definitions/credits-env.ts'
import { afterMove } from './ledger/after-move.ts'
import { creditsMigrations } from './ledger/credits-migrations.ts'
import { type CreditsTables, decidedByRows } from './ledger/credits-tables.ts'
import { recountDay } from './ledger/days.ts'
import { forgetOriginsBefore } from './ledger/origin-days.ts'
import { asksBefore, policyOf } from './ledger/policy.ts'
import { releaseHolds } from './ledger/settle-turn.ts'
import { manifest } from './manifest.ts'
import { creditRecords } from './personal-records.ts'
import { makePrices } from './prices/make-prices.ts'
import { costOf, isFree } from './prices/price-list.ts'
import { readPriceFile } from './prices/read-price-file.ts'
import { operatorRoutes } from './routes/operator-routes.ts'
import { personRoutes } from './routes/person-routes.ts'
import { turnBilling } from './turn-billing.ts'

/** Delay after a start before turns that a crashed process left are released instead of settled, in milliseconds. */
const settleFirstMs = 60_000

/**
 * Prices turns and keeps the credit of users.
 *
 * @example
 * await createOracleApp({ config, plugins: [credits()] })
 */
export const credits = () =>
  definePlugin<typeof creditsEnv, CreditsTables>({
    name: 'credits',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: creditsEnv,
    migrations: creditsMigrations,
    afterMove,
    async setup({ env, oracle, log, clock, storage, jobs, limits }) {
      const file = env.CREDITS_PRICE_FILE === undefined ? undefined : await readPriceFile(env.CREDITS_PRICE_FILE)
      const prices = makePrices(file, oracle.price)
      const policy = policyOf(env, prices)
      log.debug('prices', {
        from: prices.source,
        turn: formatAmount(prices.turn),
        mode: policy.grant === undefined ? 'metering only: CREDITS_DEFAULT_GRANT is not set' : 'turns need credit',
      })
      if (policy.personBudget !== undefined || policy.oracleBudget !== undefined) {
        await storage.write(tx => recountDay(tx, utcDay(clock.now())), decidedByRows)
      }
      const setUpAt = performance.now()
      const run = async (signal: AbortSignal) => {
        if (performance.now() - setUpAt < settleFirstMs) return
        await forgetOriginsBefore(storage, utcDay(clock.now() - 86_400_000), signal)
        const released = await releaseHolds(storage, clock.now(), signal)
        if (released > 0) log.info('holds of turns that never began were released', { holds: released })
      }
      await every(jobs, { kind: 'credits.release-holds', interval: '5m', run, enabled: asksBefore(policy) })
      const account = { storage, policy, clock }
      return {
        tools: creditTools(account),
        routes: [...personRoutes(account, prices), ...operatorRoutes({ storage, clock, prices, log })],
        turn: turnBilling({ ...account, prices, shareOf: limits.shareOf, log }),
        personalRecords: creditRecords(storage),
        services: [provide(turnPrices, { costOf: turn => (isFree(prices) ? undefined : costOf(prices, turn)) })],
      }
    },
  })
