// Gives many customers the same PIN: stored values all differ, and none can be decrypted in another row.
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { createAccounts } from './ussd-ciphertexts/create-accounts.ts'
import { judgeSealed } from './ussd-ciphertexts/judge-sealed.ts'
import { moveRows } from './ussd-ciphertexts/move-rows.ts'
import { commonPin, countSignedIn } from './ussd-ciphertexts/sign-in.ts'

const atOnce = 64

await runFault({
  name: 'ussd-ciphertexts',
  count: 100_000,
  quick: 100,
  defences: ['ussd-fresh-nonces', 'ussd-sealed-for-its-row'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    const file = database.url.slice('file:'.length)
    const env = gatewaySettings(database.url)
    const start = () => startOracle({ file: 'ussd/oracle.ts', env, without: fault.without })
    const moved = fault.quick ? 10 : 200

    const oracle = await start()
    const ids = await createAccounts(oracle.url, fault.count, atOnce)
    const first = ids.slice(0, 4 * moved)
    const before = await countSignedIn(oracle.url, first)
    await oracle.end('SIGTERM')

    const sealed = judgeSealed(file, commonPin)
    fault.figure('customers with the same PIN', ids.length)
    fault.atLeast('sealed PINs', sealed.count, fault.count)
    fault.atMost('sealed PINs that are there twice', sealed.count - sealed.texts, 0)
    fault.atMost('nonces that are there twice', sealed.count - sealed.nonces, 0)
    fault.atMost('rows that show the PIN', sealed.inTheClear, 0)
    fault.atLeast('customers who signed in with it before, of all', before / first.length, 1)

    moveRows(file, first)
    await using again = await start()
    fault.figure('rows with what is of another customer, each part of them', first.length)
    fault.atMost('customers who signed in with a PIN moved from another', await countSignedIn(again.url, first), 0)
    const others = ids.slice(4 * moved, 5 * moved)
    fault.atLeast('others who signed in as before, of all', (await countSignedIn(again.url, others)) / others.length, 1)
  },
})
