// Tokens that were tampered with or say what they must not: none is accepted, and none holds the process up.
import { once } from 'node:events'
import { createMnemonic } from '@sibyl/identity'
import { seededRandom } from './frame/random.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { makeKeys } from './mutated-tokens/cast.ts'
import type { CheckResult } from './mutated-tokens/check-in-process.ts'
import { checkOverHttp } from './mutated-tokens/check-over-http.ts'
import { mutationCount } from './mutated-tokens/make-candidate.ts'
import { apiKeyOfRun } from './mutated-tokens/static-credentials.ts'

/** Every so many tokens that are judged within the process, one goes over HTTP. */
const overHttpEvery = 20
const connections = 8

const summary = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

await runFault({
  name: 'mutated-tokens',
  count: 1_000_000,
  quick: 6_000,
  defences: ['signatures', 'one-spelling', 'replay-guard'],
  async run(fault) {
    const keys = makeKeys(seededRandom(fault.seed))
    await using oracle = await startOracle({
      file: 'mutated-tokens/oracle.ts',
      ipc: true,
      without: fault.without,
      env: {
        DATABASE_URL: 'memory:',
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        ORACLE_ACCESS: 'delegated',
        ORACLE_CONTROLLERS: keys.controller.did,
        ORACLE_API_KEYS: `shop:${apiKeyOfRun}:chat/send`,
      },
    })
    oracle.child.send({ seed: fault.seed, count: fault.count })
    const [inProcess] = (await once(oracle.child, 'message')) as [CheckResult]
    const publicDid = ((await (await fetch(`${oracle.url}/.well-known/oracle.json`)).json()) as { publicDid: string })
      .publicDid
    const count = Math.ceil(fault.count / overHttpEvery)
    const http = await checkOverHttp(oracle, publicDid, keys, { seed: fault.seed, count, connections })

    fault.figure('kinds of mutations', mutationCount)
    fault.figure('tokens judged in process', fault.count)
    fault.atLeast('good tokens accepted in between', inProcess.goodAccepted, 1)
    fault.atMost('good tokens refused in between', inProcess.goodRefused, 0)
    fault.atMost('mutated tokens accepted', inProcess.acceptedCount, 0)
    for (const one of inProcess.accepted) fault.figure('accepted', one)
    fault.atLeast('reasons of refusal', Object.keys(inProcess.reasons).length, 18)
    fault.figure('refused for', summary(inProcess.reasons))
    fault.figure('a check, median ms', inProcess.median.toFixed(3))
    fault.figure('a check, 99.9th percentile ms', inProcess.percentile999.toFixed(3))
    fault.figure('a check, the slowest ms, pauses of a shared machine among it', inProcess.slowest.toFixed(1))
    fault.atMost('a check, the slowest ms each of six times', Number(inProcess.slowestRepeated.toFixed(1)), 25)
    fault.figure('tokens sent over HTTP', count)
    fault.atLeast('good tokens accepted over HTTP', http.goodAccepted, 1)
    fault.atMost('good tokens refused over HTTP', http.goodRefused, 0)
    fault.atMost('mutated tokens accepted over HTTP', http.accepted.length, 0)
    for (const one of http.accepted.slice(0, 10)) fault.figure('accepted', one)
    fault.atMost('mutated bearers and API keys accepted', http.acceptedCredentials.length, 0)
    for (const one of http.acceptedCredentials.slice(0, 10)) fault.figure('accepted', one)
    fault.atMost('spent tokens accepted again in another dress', http.acceptedAgain.length, 0)
    for (const one of http.acceptedAgain.slice(0, 10)) fault.figure('accepted again', one)
    fault.figure('answers', summary(http.statuses))
  },
})
