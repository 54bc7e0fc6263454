import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { findCodeViolations } from './errors/find-code-violations.ts'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()
// Pages of commands that are gone would stay otherwise.
rmSync(join(workspaceRoot, 'docs/reference/cli'), { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(workspaceRoot, path)), { recursive: true })
  writeFileSync(join(workspaceRoot, path), text)
  console.log(`wrote ${path}`)
}
const violations = findCodeViolations(pages.get('docs/reference/errors.md') ?? '')
if (violations.length > 0) {
  console.error(`${violations.join('\n')}
Give each code one row in docs/reference/errors.md, then run this again: | \`code\` | | | What to do. |`)
  process.exitCode = 1
}
