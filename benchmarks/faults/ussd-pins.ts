// Guesses a customer's PIN, one after the other and all at once, from many phones; then many customers' PINs from one phone
// that signs in with its own account before each guess: few are compared in an hour.
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { Guessers, type Owner } from './ussd-pins/guessers.ts'
import { maxWithin } from './ussd-pins/max-within.ts'
import { startWatchedOracle } from './ussd-pins/watched-oracle.ts'

const hourMs = 3_600_000

/** Number of concurrent guesses, group after group. */
const groups = [32, 1, 1, 4, 1, 64, 1]

/** Maximum clock change between groups. */
const longestPauseMs = hourMs / 4

/** Number of customers that the phone with an account guesses at. */
const customers = 8

/** Number of its guesses between two clock changes. */
const guessesAPause = 16

await runFault({
  name: 'ussd-pins',
  count: 10_000,
  quick: 100,
  defences: ['ussd-lockout', 'ussd-attempts-reserved', 'ussd-attempts-by-account'],
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
    let counted = (_customerId: string): boolean => true
    for (const oracle of oracles) oracle.onCompared(id => counted(id) && compared.push(aheadMs))

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
    fault.figure('elapsed hours on the clock of the oracle', (aheadMs / hourMs).toFixed(1))
    fault.figure('guesses compared with the PIN', tried)
    fault.atLeast('guesses compared with the PIN, so that there is something to count', tried, 5)
    fault.atMost('guesses compared within an hour, the most', maxWithin(compared, hourMs), 10)
    fault.atMost('accepted guesses', guessers.letIn, 0)
    fault.atMost('answers that no guess gets', guessers.odd.length, 0)
    for (const one of guessers.odd.slice(0, 5)) fault.figure('odd', one)

    aheadMs += 25 * hourMs
    for (const oracle of oracles) await oracle.moveClock(aheadMs)
    fault.atLeast('the owner signs in again a day later', (await guessers.signIn(owner)) ? 1 : 0, 1)

    const others: Owner[] = []
    for (let each = 0; each < customers; each += 1)
      others.push(await guessers.createAccount(`+26095${String(each).padStart(7, '0')}`))
    compared.length = 0
    counted = id => id !== owner.customerId
    const rounds = Math.max(6, Math.ceil(fault.count / 200)) * guessesAPause
    let ownLogins = 0
    for (let round = 0; round < rounds; round += 1) {
      if (await guessers.signIn(owner)) ownLogins += 1
      await guessers.guessFrom(owner, others[round % customers]!.customerId)
      if (round % guessesAPause !== guessesAPause - 1) continue
      aheadMs += random.integer(0, longestPauseMs)
      for (const oracle of oracles) await oracle.moveClock(aheadMs)
    }
    fault.figure('guesses from the phone with an account', rounds)
    fault.atLeast('its logins with the own account, between guesses', ownLogins, 5)
    fault.atLeast('its guesses compared with PINs of others', compared.length, 4)
    fault.atMost('its guesses compared within an hour, the most', maxWithin(compared, hourMs), 10)
    fault.atMost('accepted guesses, of all', guessers.letIn, 0)
    fault.atMost('answers that no guess gets, of all', guessers.odd.length, 0)
    for (const oracle of oracles) await oracle.end()
  },
})
