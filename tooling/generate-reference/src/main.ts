import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { findCodeFaults } from './errors/find-code-faults.ts'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()
for (const [path, text] of pages) {
  writeFileSync(join(workspaceRoot, path), text)
  console.log(`wrote ${path}`)
}
const faults = findCodeFaults(pages.get('docs/reference/errors.md') ?? '')
if (faults.length > 0) {
  console.error(`${faults.join('\n')}
Give each code one row in docs/reference/errors.md, then run this again: | \`code\` | | | What to do. |`)
  process.exitCode = 1
}
