// One site begins sign-ins, registers clients and names documents of clients without end: those of others stay.
import { createMnemonic } from '@sibyl/identity'
import { attackerAt, attackersSite } from './flood/attacks.ts'
import { beginSignIn, registerClient } from './flood/sign-in-client.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startFilled } from './frame/start-filled.ts'
import { throughProxy } from './frame/through-proxy.ts'

/** The records that the site has at the start, near the limits of `recordStore`. */
const before = { Client: 950, Interaction: 9_950 } as const

/** Documents that the site names, as many as are fetched in a minute. */
const documents = 300

await runFault({
  name: 'crowded-sign-ins',
  count: 10_000,
  quick: 200,
  defences: ['sign-ins-replaced-by-site', 'client-documents-by-site'],
  async run(script) {
    await using database = await openFaultDatabase(script, 'sqlite')
    await using oracle = await startFilled<{ oauth_records: Record<string, string | number> }>(
      database.url,
      storage =>
        storage.write(async tx => {
          for (const [kind, count] of Object.entries(before)) {
            const ids = Array.from({ length: count }, (_, index) => index)
            for (let from = 0; from < count; from += 500) {
              const rows = ids.slice(from, from + 500).map(index => ({
                kind,
                id: `x${index}`,
                payload: '{}',
                expires_at: Date.now() + 2 * 3_600_000 + index,
                site: attackersSite,
              }))
              await tx.insertInto('oauth_records').values(rows).execute()
            }
          }
        }),
      {
        file: 'flood/oracle.ts',
        without: script.without,
        env: { ORACLE_MNEMONIC: createMnemonic(12).reveal(), TRUST_PROXY_ENABLED: 'true' },
      },
    )
    const honest = throughProxy(oracle, '203.0.113.7')
    const client = (await registerClient(honest))!
    const begun = (await beginSignIn(honest, client))!
    let registered = 0
    let signIns = 0
    for (let index = 0; index < script.count; index += 1) {
      const attacker = throughProxy(oracle, attackerAt(index))
      if (index % 2 === 0 && (await registerClient(attacker))) registered += 1
      if (await beginSignIn(attacker, client)) signIns += 1
    }
    for (let index = 0; index < documents; index += 1) {
      await beginSignIn(throughProxy(oracle, attackerAt(index)), `https://client.example/${index}.json`)
    }
    script.atLeast('registrations of the site', registered, script.count / 2)
    script.atLeast('sign-ins that the site began', signIns, script.count)
    const page = await honest.request(begun.path, { headers: { cookie: begun.cookie } })
    await page.text()
    script.atMost('status of the sign-in that another had begun', page.status, 200)
    script.atLeast('sign-ins of the client of another', Number((await beginSignIn(honest, client)) !== undefined), 1)
    const named = await beginSignIn(honest, 'https://client.example/honest.json')
    script.atLeast('sign-ins of a client with a document, of another', Number(named !== undefined), 1)
  },
})
