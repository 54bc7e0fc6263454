import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Manifest, workspaceRoot } from '@sibyl/tooling-source'
import type { CommandPurposes } from './agents-page.ts'

/** Reads the purposes of the root's commands from the list that the launcher prints without arguments. */
export const commandPurposes = ({ scripts = {} }: Manifest): CommandPurposes => {
  const { stderr } = spawnSync(process.execPath, [join(workspaceRoot, 'scripts/launch.mjs')], { encoding: 'utf8' })
  const listed = new Map([...stderr.matchAll(/^ {2}(\S+) +(.+)$/gm)].map(([, name = '', about = '']) => [name, about]))
  return new Map(
    Object.entries(scripts).flatMap(([name, script]) => {
      const about = listed.get(script.replace('node scripts/launch.mjs ', ''))
      return about === undefined ? [] : [[name, about] as const]
    }),
  )
}
