// Kills the oracle with -9 while the clients of sign-ins refresh their tokens, and counts the sign-ins that survive.
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { registerClient } from './flood/sign-in-client.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { type RefreshedSignIn, refreshWhile, signIn } from './sign-ins-kill/refreshed-sign-in.ts'

const signIns = 18
const refreshesPerKill = 60

await runFault({
  name: 'sign-ins-kill',
  count: 20,
  quick: 4,
  defences: ['lost-refreshes-repeated'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(script) {
    await using database = await openFaultDatabase(script, script.choices.engine!)
    const env = {
      DATABASE_URL: database.url,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      PORT: String(await reservePort()),
    }
    const start = () => startOracle({ file: 'sign-ins-kill/oracle.ts', env, without: script.without })
    let oracle: OracleProcess = await start()
    const target = { request: (path: string, init?: RequestInit) => fetch(`http://localhost:${env.PORT}${path}`, init) }
    const client = (await registerClient(target))!
    const begun: RefreshedSignIn[] = []
    for (let index = 0; index < signIns; index += 1) {
      begun.push(await signIn(target, client, oracle.actor(createSigningKey())))
    }
    let refreshes = 0
    let isOver = false
    const clients = begun.map(one =>
      refreshWhile(
        target,
        one,
        () => !isOver,
        () => {
          refreshes += 1
        },
      ),
    )
    for (let kill = 0; kill < script.count; kill += 1) {
      const due = refreshes + refreshesPerKill
      while (refreshes < due && begun.some(({ hasEnded }) => !hasEnded)) {
        await new Promise(resolve => setTimeout(resolve, script.random.integer(1, 20)))
      }
      await oracle.end('SIGKILL')
      oracle = await start()
    }
    isOver = true
    await Promise.all(clients)
    const works = await Promise.all(
      begun.map(async ({ accessToken, hasEnded }) => {
        const answer = await target.request('/me', { headers: { authorization: `Bearer ${accessToken}` } })
        await answer.text()
        return !hasEnded && answer.status === 200
      }),
    )
    await oracle.end('SIGKILL')
    script.figure('kills', script.count)
    script.figure(
      'answers that were lost',
      begun.reduce((sum, { lost }) => sum + lost, 0),
    )
    script.atLeast('refreshes', refreshes, script.without.length > 0 ? 1 : script.count * refreshesPerKill)
    script.atLeast('sign-ins that survive', works.filter(Boolean).length, signIns)
  },
})
