// Ends the process of a turn at each message that it sends to its database, its model and an account that it charges.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startPostgres } from '@sibyl/storage/testing'
import { type CuttingProxy, startCuttingProxy } from './crash/cutting-proxy.ts'
import { startPayingModel, wholeText } from './crash/paying-model.ts'
import { langgraph, type Outcome, type System, sibyl } from './crash/systems.ts'
import type { OracleProcess } from './faults/frame/start-oracle.ts'

const every = Number(process.env.BENCH_EVERY ?? 1)
const only = process.env.BENCH_ONLY?.split(',')
const postgresPort = 5432

const others = existsSync(join(import.meta.dirname, 'crash/others/node_modules')) ? [langgraph] : []
if (others.length === 0) console.log('LangGraph: npm ci --prefix benchmarks/crash/others --ignore-scripts')
const named = (system: System) => `${system.name} ${system.processes}`
const systems = [sibyl(1), sibyl(2), sibyl(5), ...others].filter(system => only?.includes(named(system)) ?? true)

const postgres = await startPostgres()
if (postgres === undefined) process.exit(0)
const charges = new Map<string, number>()
const account = createServer((request, response) => {
  charges.set(request.url!, (charges.get(request.url!) ?? 0) + 1)
  response.end('charged')
}).listen(0, '127.0.0.1')
const model = await startPayingModel()

/** A process with the proxy that it sends through. */
interface Victim extends AsyncDisposable {
  readonly process: OracleProcess
  readonly proxy: CuttingProxy
}

const startVictim = async (system: System, databaseUrl: string): Promise<Victim> => {
  const { pathname, searchParams } = new URL(databaseUrl)
  const proxy = await startCuttingProxy({
    database: { path: `${searchParams.get('host')}/.s.PGSQL.${postgresPort}` },
    model: { host: '127.0.0.1', port: Number(new URL(model.url).port) },
    account: { host: '127.0.0.1', port: (account.address() as AddressInfo).port },
  })
  const process = await system.start({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port('database')}${pathname}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${proxy.port('model')}/v1`,
    ACCOUNT_URL: `http://127.0.0.1:${proxy.port('account')}`,
  })
  const dispose = async () => {
    await process[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  }
  return { process, proxy, [Symbol.asyncDispose]: dispose }
}

/** Ends a turn at each message in turn, until one ends uncut. */
const measure = async (system: System) => {
  const databaseUrl = await postgres.createDatabase()
  const victims: Victim[] = []
  const sum = { cuts: 0, twice: 0, missing: 0, unended: 0, torn: 0, asked: 0 }
  for (let message = 1; ; message += every) {
    while (victims.length < system.processes) victims.push(await startVictim(system, databaseUrl))
    const turn = `t${message}`
    const { process: first, proxy } = victims.shift()!
    proxy.cutAt(message, () => first.child.kill('SIGKILL'))
    const began = await system.begin(first, turn)
    const isCut = proxy.settle()
    await first.end('SIGKILL')
    await proxy[Symbol.asyncDispose]()
    if (!isCut) {
      judge(sum, turn, began)
      break
    }
    sum.cuts += 1
    if (victims.length === 0) victims.push(await startVictim(system, databaseUrl))
    const wasCharged = (amount: number) => charges.has(`/${turn}/${amount}`)
    judge(sum, turn, began.isEnded ? began : await system.resume(victims[0]!.process, turn, wasCharged))
    charges.clear()
  }
  await Promise.all(victims.map(victim => victim[Symbol.asyncDispose]()))
  return sum
}

const judge = (sum: Awaited<ReturnType<typeof measure>>, turn: string, { isEnded, text, asked }: Outcome) => {
  const counts = [1, 2].map(amount => charges.get(`/${turn}/${amount}`) ?? 0)
  if (counts.some(count => count > 1)) sum.twice += 1
  if (isEnded && counts.includes(0)) sum.missing += 1
  if (!isEnded) sum.unended += 1
  if (isEnded && text !== wholeText) sum.torn += 1
  if (asked) sum.asked += 1
}

const columns = ['cuts', 'twice', 'missing', 'unended', 'torn', 'asked'] as const
console.log(`\ncrash\n  ${'system, processes'.padEnd(18)}${columns.map(name => name.padStart(9)).join('')}`)
for (const system of systems) {
  const sum = await measure(system)
  console.log(`  ${named(system).padEnd(18)}${columns.map(name => String(sum[name]).padStart(9)).join('')}`)
}
account.close()
account.closeAllConnections()
await model.close()
await postgres.stop()
process.exit(0)
