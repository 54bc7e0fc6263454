// Locked routes asked for in other words: over raw sockets, without any credentials. No handler of a locked route runs.
import { createMnemonic } from '@sibyl/identity'
import { type RawAnswer, RawConnection } from './frame/raw-http.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { makeRequest, singleCount } from './path-forms/make-request.ts'
import { corePaths, lockedPaths } from './path-forms/paths.ts'

const atOnce = 16

/** Whether a public route answered: those of the probe say so, core's by what is in them; a preflight has no body. */
const isPublic = ({ status, headers, body }: RawAnswer): boolean =>
  headers['x-public'] === 'yes' ||
  (status === 204 && body === '' && headers['access-control-allow-methods'] !== undefined) ||
  /^\{"status":"ok"|^\{"ran":/.test(body)

await runFault({
  name: 'path-forms',
  count: 20_000,
  quick: 3_000,
  defences: ['locks-on-routes'],
  async run(fault) {
    await using oracle = await startOracle({
      file: 'path-forms/oracle.ts',
      without: fault.without,
      env: {
        DATABASE_URL: 'memory:',
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        ORACLE_OPERATOR_TOKEN: 'operator-token-0123456789',
        VAULT_API_KEYS: 'one:vault-key-0123456789',
        CORS_ORIGIN: 'https://app.example.org',
      },
    })
    const port = Number(new URL(oracle.url).port)
    const ran = async () => ((await (await fetch(`${oracle.url}/count`)).json()) as { ran: number }).ran

    const actor = oracle.actor()
    for (const { path } of lockedPaths.slice(0, 3)) await actor.request(path)
    fault.atLeast('handlers that run for one who may', await ran(), 3)
    const before = await ran()

    const statuses: Record<string, number> = {}
    const skipped: string[] = []
    const broken: string[] = []
    let next = 0
    const work = async () => {
      for (let index = next++; index < fault.count; index = next++) {
        const { name, bytes, asGet } = makeRequest(index, fault.random)
        await using connection = new RawConnection(port)
        let answer = await connection.send(bytes, asGet !== undefined)
        if (answer && answer.status < 400 && asGet) answer = await connection.send(asGet)
        const status = answer === undefined ? 'closed' : String(answer.status)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (answer === undefined || (answer.status >= 400 && answer.status < 500)) continue
        if (answer.status >= 500) broken.push(`${answer.status} ${name}`)
        else if (!isPublic(answer)) skipped.push(`${answer.status} ${name} ${answer.body.slice(0, 80)}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))

    fault.figure('paths', lockedPaths.length + corePaths.length)
    fault.figure('single forms of each', singleCount / (lockedPaths.length + corePaths.length))
    fault.figure('requests', fault.count)
    fault.figure('answers', JSON.stringify(statuses))
    fault.atMost('locked handlers that ran', (await ran()) - before, 0)
    fault.atMost('answers that no public route gives', skipped.length, 0)
    for (const one of skipped.slice(0, 10)) fault.figure('let through', one)
    fault.atMost('answers of 500 and above', broken.length, 0)
    for (const one of broken.slice(0, 10)) fault.figure('broken', one)
  },
})
