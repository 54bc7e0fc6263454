// Runs the benchmarks one after the other, each side by side with its baseline, or those named on the command line.
import { spawnSync } from 'node:child_process'
import { cpus, release } from 'node:os'
import { join } from 'node:path'

const all = [
  'chat-turn',
  'adapters',
  'guarded-turn',
  'capacity',
  'boot',
  'ucan-verify',
  'storage-group-commit',
  'deletions',
  'retention',
  'open-streams',
  'overload',
  'many-plugins',
  'mcp-servers',
  'entities',
  'entity-history',
  'ussd-sessions',
  'ussd-memory',
  'credentials',
  'credits-ledger',
  'web-pages',
  'sandbox',
  'memory',
  'due-tasks',
  'install-size',
  'new-project',
  'first-paint',
  'crash',
]
const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !all.includes(name))
if (unknown.length > 0) {
  console.error(`The benchmark ${unknown.join(', ')} is unknown. Use one of: ${all.join(', ')}.`)
  process.exit(2)
}
console.log(
  `${new Date().toISOString().slice(0, 10)}   node ${process.version}   ${process.platform} ${release()}   ${cpus().length} cores`,
)
let failed = 0
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n${name}`)
  const file = join(import.meta.dirname, `${name}.ts`)
  const flags = ['boot', 'sandbox'].includes(name) ? [] : ['--conditions=sibyl-source']
  const { status } = spawnSync(process.execPath, [...flags, file], { stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
