// Runs seeds until one fails, which it shortens. Arguments: `jobs`, `turns` or `schedules`, the first seed, their number, and `show` for the traces.
import { reportTrial } from '../faults/frame/report-trial.ts'
import { announceOracle } from '../faults/frame/start-oracle.ts'
import { jobsTrial } from './jobs-trial.ts'
import { planOf } from './plan.ts'
import { runSeed } from './run-seed.ts'
import { schedulesTrial } from './schedules-trial.ts'
import { shorten } from './shorten.ts'
import { turnsTrial } from './turns-trial.ts'

const [of = 'jobs', from = '1', seedCount = '1', shows] = process.argv.slice(2)
const [first, count] = [Number(from), Number(seedCount)]
const trials = { jobs: jobsTrial, turns: turnsTrial, schedules: schedulesTrial }
const trial = await trials[of as keyof typeof trials]()
// The trial has loaded the sources in which a defence was removed.
announceOracle('in process', 'did:example:simulation')
const log = shows ? (line: string) => console.log(line) : undefined
const found: string[] = []
const started = process.cpuUsage()
let [seeds, steps] = [0, 0]
for (let seed = first; seed < first + count && found.length === 0; seed += 1) {
  const plan = (trial.plan ?? planOf)(seed)
  const result = await runSeed(seed, trial, plan, log)
  seeds += 1
  steps += result.steps
  if (result.violations.length === 0) continue
  const short = await shorten(seed, trial, { plan, result })
  const [violation] = short.result.violations
  found.push(`${violation?.invariant}: ${violation?.text} seed ${seed} ${JSON.stringify(short.plan)}`)
}
const { user, system } = process.cpuUsage(started)
reportTrial({
  tried: { seeds, steps, 'seeds a second of processor time': Math.round(seeds / ((user + system) / 1e6)) },
  violations: { 'violations of an invariant': found },
})
