import { parseArgs } from 'node:util'
import { readAllowedCounts, writeAllowedCounts } from './allowed-counts.ts'
import { checkWorkspace } from './check-workspace.ts'
import { compareCounts, countFindings, lowerCounts } from './counts.ts'

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, update: { type: 'boolean' } },
  allowPositionals: true,
})
const files = checkWorkspace()
const counts = countFindings(files)
const allowed = readAllowedCounts()

if (values.list) {
  const chosen = files.filter(({ file }) => positionals.length === 0 || positionals.some(path => file.startsWith(path)))
  const worst = chosen.toSorted((one, other) => other.findings.length - one.findings.length)
  for (const { file, findings } of worst.slice(0, 40)) console.log(`${String(findings.length).padStart(5)}  ${file}`)
  // Named files are few: every finding is shown.
  if (positionals.length > 0) {
    for (const { file, findings } of worst)
      for (const { kind, line, word, write } of findings) console.log(`${file}:${line}  ${kind}  ${word}  →  ${write}`)
  }
}
if (values.update) writeAllowedCounts(lowerCounts(counts, allowed))

const problems = compareCounts(counts, allowed)
for (const problem of problems) console.error(problem)
const total = files.reduce((sum, { findings }) => sum + findings.length, 0)
console.log(`${total} excluded words in ${files.length} files.`)
if (problems.length > 0) process.exitCode = 1
