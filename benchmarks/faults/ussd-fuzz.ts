// Bodies that no telecom gateway would send, in process and over HTTP: none causes a server error, and none changes
// anything.
import { openFaultDatabase } from './frame/database.ts'
import { type Fault, runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { WalkingPhone } from './ussd/walking-phone.ts'
import type { FuzzVerdict } from './ussd-fuzz/fuzz-in-process.ts'
import { fuzzOverHttp } from './ussd-fuzz/fuzz-over-http.ts'

/** Every so many bodies that go in process, one goes over HTTP. */
const overHttpEvery = 20

/** The turns of the session that is watched: it stands at the name of an account. */
const watchedTurns = 8

const report = (fault: Fault, where: string, verdict: FuzzVerdict): void => {
  const { sent, invalid, refused, served, faults, taken, changes, examples } = verdict
  fault.figure(`bodies ${where}`, sent)
  fault.figure(`not valid by the specification, ${where}`, invalid)
  fault.atLeast(`refused ${where}`, refused, sent / 2)
  fault.atLeast(`served ${where}`, served, 1)
  fault.atMost(`answers of 5xx, or of words that stand for one, ${where}`, faults, 0)
  fault.atMost(`served although not valid, ${where}`, taken, 0)
  fault.atMost(`changes beyond what was served, ${where}`, changes, 0)
  for (const one of examples.slice(0, 5)) fault.figure('example', one)
}

await runFault({
  name: 'ussd-fuzz',
  count: 1_000_000,
  quick: 3_000,
  defences: ['ussd-text-checked', 'ussd-messages-checked'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    const file = database.url.slice('file:'.length)
    const reported = Promise.withResolvers<FuzzVerdict>()
    await using oracle = await startOracle({
      file: 'ussd-fuzz/oracle.ts',
      args: [file],
      env: { ...gatewaySettings(database.url), USSD_SESSION_TTL_SECONDS: '86400' },
      without: fault.without,
      ipc: true,
    })
    const watched = new WalkingPhone(2, false)
    for (let turn = 0; turn < watchedTurns; turn += 1) await watched.turn(oracle.url)
    oracle.child.once('message', verdict => reported.resolve(verdict as FuzzVerdict))
    oracle.child.once('exit', () => reported.reject(new Error(oracle.said.join('\n'))))
    oracle.child.send({ seed: fault.seed, count: fault.count })
    const inProcess = await reported.promise
    const http = await fuzzOverHttp(oracle, {
      file,
      random: fault.random,
      count: Math.ceil(fault.count / overHttpEvery),
    })

    report(fault, 'in process', inProcess)
    report(fault, 'over HTTP', http)
    const unmoved = (await watched.repeat(oracle.url)) === 'acknowledged'
    const continues = (await watched.turn(oracle.url)) === 'acknowledged'
    fault.atMost('watched sessions that moved', unmoved && continues ? 0 : 1, 0)
    fault.atMost('processes that ended', oracle.alive ? 0 : 1, 0)
  },
})
