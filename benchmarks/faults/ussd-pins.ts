// Guesses a customer's PIN, one after the other and all at once, from many phones: few are compared with it in an hour.
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { Guessers } from './ussd-pins/guessers.ts'
import { mostWithin } from './ussd-pins/most-within.ts'
import { startWatchedOracle } from './ussd-pins/watched-oracle.ts'

const hourMs = 3_600_000

/** How many guesses are sent at once, group after group. */
const groups = [32, 1, 1, 4, 1, 64, 1]

/** How far the clock goes on between groups, at most. */
const longestPauseMs = hourMs / 4

await runFault({
  name: 'ussd-pins',
  count: 10_000,
  quick: 100,
  defences: ['ussd-lockout', 'ussd-attempts-reserved'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const { random } = fault
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const env = gatewaySettings(database.url)
    const first = await startWatchedOracle(env, fault.without)
    const oracles =
      fault.choices.engine === 'postgres' ? [first, await startWatchedOracle(env, fault.without)] : [first]
    const urls = oracles.map(({ url }) => url)
    let aheadMs = 0
    const compared: number[] = []
    for (const oracle of oracles) oracle.onCompared(() => compared.push(aheadMs))

    const guessers = new Guessers(random, urls)
    const owner = await guessers.createAccount()
    fault.atLeast('the owner signs in', (await guessers.signIn(owner)) ? 1 : 0, 1)
    compared.length = 0

    for (let sent = 0, group = 0; sent < fault.count; group += 1) {
      const together = Math.min(groups[group % groups.length]!, fault.count - sent)
      await guessers.guess(owner.customerId, together)
      sent += together
      aheadMs += random.integer(0, longestPauseMs)
      for (const oracle of oracles) await oracle.moveClock(aheadMs)
    }
    const tried = compared.length
    fault.figure('processes', oracles.length)
    fault.figure('guesses', fault.count)
    fault.figure('phones that guessed', guessers.phones)
    fault.figure('hours that went by on the clock of the oracle', (aheadMs / hourMs).toFixed(1))
    fault.figure('guesses compared with the PIN', tried)
    fault.atLeast('guesses compared with the PIN, so that there is something to count', tried, 5)
    fault.atMost('guesses compared within an hour, the most', mostWithin(compared, hourMs), 10)
    fault.atMost('guesses that were let in', guessers.letIn, 0)
    fault.atMost('answers that no guess gets', guessers.odd.length, 0)
    for (const one of guessers.odd.slice(0, 5)) fault.figure('odd', one)

    for (const oracle of oracles) await oracle.moveClock(aheadMs + 25 * hourMs)
    fault.atLeast('the owner signs in again a day later', (await guessers.signIn(owner)) ? 1 : 0, 1)
    for (const oracle of oracles) await oracle.end()
  },
})
