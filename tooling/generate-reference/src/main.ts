import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { generateReference } from './generate-reference.ts'

for (const [path, text] of await generateReference()) {
  writeFileSync(join(workspaceRoot, path), text)
  console.log(`wrote ${path}`)
}
