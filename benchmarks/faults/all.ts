// Runs the fault scripts, all or those named, each twice: as it is it must pass, and without its defence it must fail.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { faults } from './faults.ts'
import { exitCodes } from './frame/run-fault.ts'

const words = process.argv.slice(2)
const options = words.filter(word => word.startsWith('--'))
const wanted = words.filter(word => !word.startsWith('--'))
const unknown = wanted.filter(name => !faults.some(fault => fault.name === name))
if (unknown.length > 0) {
  console.error(`There is no fault script ${unknown.join(', ')}. There are: ${faults.map(one => one.name).join(', ')}.`)
  process.exit(2)
}

/** Runs one script and shows what it says; gives its last line and its exit code. */
const runScript = async (name: string, args: readonly string[]) => {
  const file = join(import.meta.dirname, `${name}.ts`)
  const child = spawn(process.execPath, ['--conditions=sibyl-source', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number>(resolve => child.once('close', code => resolve(code ?? exitCodes.broken)))
  let verdict = ''
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(`  ${line}`)
    verdict = line
  }
  return { verdict, code: await ended }
}

const failures: string[] = []
for (const { name, variants = [[]], defences = [undefined] } of faults) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const variant of variants) {
    const started = performance.now()
    console.log(`\n${[name, ...variant].join(' ')}`)
    const args = [...variant, ...options]
    const defended = await runScript(name, args)
    if (defended.verdict === 'SKIP' && defended.code === exitCodes.skip) continue
    if (defended.verdict !== 'PASS' || defended.code !== exitCodes.pass) {
      failures.push(`${[name, ...args].join(' ')} did not pass`)
    }
    if (options.includes('--without-defence')) continue
    for (const defence of defences) {
      const without = ['--without-defence', ...(defence === undefined ? [] : [`--defence=${defence}`])]
      const bare = await runScript(name, [...args, ...without])
      if (bare.verdict !== 'FAIL' || bare.code !== exitCodes.fail) {
        failures.push(`${[name, ...args, ...without].join(' ')} did not fail`)
      }
    }
    console.log(`  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
}
console.log(failures.length === 0 ? '\nAll as they should be.' : `\n${failures.join('\n')}`)
process.exit(failures.length === 0 ? 0 : 1)
