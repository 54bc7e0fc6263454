// Runs all or the named fault scripts, each twice: unchanged it must pass, and without its defense it must fail.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { faults, type ListedFault } from './faults.ts'
import { exitCodes } from './frame/run-fault.ts'

/** One run of a script, and the verdict that it must come to. */
interface PlannedRun {
  readonly name: string
  readonly args: readonly string[]
  readonly wanted: 'PASS' | 'FAIL'
}

const words = process.argv.slice(2)
const options = words.filter(word => word.startsWith('--'))
const names = words.filter(word => !word.startsWith('--'))
const quick = options.includes('--quick')
const unknown = names.filter(name => !faults.some(fault => fault.name === name))
if (unknown.length > 0) {
  console.error(
    `The fault script ${unknown.join(', ')} is unknown. Use one of: ${faults.map(one => one.name).join(', ')}.`,
  )
  process.exit(2)
}

/** Every variant must pass, and fail without each defence; quickly, only the first variant, and without the first one. */
const plan = ({ name, variants = [[]], defences = [] }: ListedFault): PlannedRun[] =>
  (quick ? variants.slice(0, 1) : variants).flatMap(variant => {
    const args = [...variant, ...options]
    const bare = defences.length > 0 ? defences.map(one => ['--without-defence', `--defence=${one}`]) : [bareAlone]
    const tried = quick ? bare.slice(0, 1) : bare
    return [
      { name, args, wanted: 'PASS' as const },
      ...tried.map(without => ({ name, args: [...args, ...without], wanted: 'FAIL' as const })),
    ]
  })

const bareAlone = ['--without-defence']

/** Runs a script to its end; what it says is shown at once, or after its end where several run. */
const run = async ({ name, args, wanted }: PlannedRun, showAtOnce: boolean): Promise<string | undefined> => {
  const started = performance.now()
  const file = join(import.meta.dirname, `${name}.ts`)
  const child = spawn(process.execPath, ['--conditions=sibyl-source', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>(resolve => child.once('close', code => resolve(code ?? exitCodes.broken)))
  const texts: string[] = []
  const hear = (line: string) => void (showAtOnce ? console.log(`  ${line}`) : texts.push(`  ${line}`))
  if (showAtOnce) console.log(`\n${[name, ...args].join(' ')}`)
  createInterface({ input: child.stderr }).on('line', hear)
  let verdict = ''
  for await (const line of createInterface({ input: child.stdout })) {
    hear(line)
    verdict = line
  }
  const code = await ended
  if (!showAtOnce) console.log(`\n${[name, ...args].join(' ')}\n${texts.join('\n')}`)
  console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const skipped = verdict === 'SKIP' && code === exitCodes.skip
  const asWanted = verdict === wanted && code === (wanted === 'PASS' ? exitCodes.pass : exitCodes.fail)
  return skipped || asWanted ? undefined : `${[name, ...args].join(' ')}: ${verdict} instead of ${wanted}`
}

const runs = faults.filter(({ name }) => names.length === 0 || names.includes(name)).flatMap(plan)
const atOnce = quick ? Math.min(2, availableParallelism()) : 1
const failures: string[] = []
const worker = async () => {
  for (let next = runs.shift(); next; next = runs.shift()) {
    const failure = await run(next, atOnce === 1)
    if (failure !== undefined) failures.push(failure)
  }
}
await Promise.all(Array.from({ length: atOnce }, worker))
console.log(failures.length === 0 ? '\nAll as they should be.' : `\n${failures.join('\n')}`)
process.exit(failures.length === 0 ? 0 : 1)
