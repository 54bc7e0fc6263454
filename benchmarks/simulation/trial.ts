// Runs seeds, and shortens those that fail. Arguments: the first seed, their number, and whether the first is shown line by line.
import { reportTrial } from '../faults/frame/report-trial.ts'
import { announceOracle } from '../faults/frame/start-oracle.ts'
import { databaseTemplate } from './database-template.ts'
import { migrateTrial } from './jobs-process.ts'
import { planOf } from './plan.ts'
import { runSeed } from './run-seed.ts'
import { shorten } from './shorten.ts'

const [first = 1, count = 1, shows = 0] = process.argv.slice(2).map(Number)
announceOracle('in process', 'did:example:simulation')
const template = await databaseTemplate(migrateTrial)
const log = shows ? (line: string) => console.log(line) : undefined
const found: string[] = []
const started = process.cpuUsage()
let [seeds, steps] = [0, 0]
for (let seed = first; seed < first + count && found.length === 0; seed += 1) {
  const plan = planOf(seed)
  const result = await runSeed(seed, template, plan, log)
  seeds += 1
  steps += result.steps
  if (result.violations.length === 0) continue
  const short = await shorten(seed, template, { plan, result })
  const [violation] = short.result.violations
  found.push(`${violation?.invariant}: ${violation?.text} seed ${seed} ${JSON.stringify(short.plan)}`)
}
const { user, system } = process.cpuUsage(started)
reportTrial({
  tried: { seeds, steps, 'seeds a second of processor time': Math.round(seeds / ((user + system) / 1e6)) },
  violations: { 'violations of an invariant': found },
})
