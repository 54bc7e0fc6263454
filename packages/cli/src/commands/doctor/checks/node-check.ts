import { z } from 'zod'
import { parseJson } from '../../../home/parse-json.ts'
import { readProjectFile } from '../../../project/read-project-file.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, findingsOf } from '../finding.ts'

const manifest = z.object({ engines: z.object({ node: z.string().max(200) }) })

/** What the packages themselves need. */
const leastNode = '>=22.13'

/** The Node that runs, against what the project asks for. */
export const checkNode = async ({ project }: DoctorContext): Promise<Finding[]> => {
  const { ok, fail } = findingsOf('This computer', 'node')
  const text = project ? await readProjectFile(`${project.folder}/package.json`) : undefined
  const asked = manifest.safeParse(parseJson(text ?? '')).data?.engines.node ?? leastNode
  const running = process.versions.node
  const [, least] = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(asked.trim()) ?? []
  if (least === undefined || compareVersions(running, least) >= 0) return [ok(`Node.js ${running}`)]
  return [
    fail(`Node.js ${running} runs, and the project needs ${asked}.`, 'Install Node.js 24, or what the project names.'),
  ]
}

/** Compares versions by their numbers: below zero where the first is the older one. */
export const compareVersions = (one: string, other: string): number => {
  const numbers = (version: string) => version.split('.').map(part => Number.parseInt(part, 10) || 0)
  const [left, right] = [numbers(one), numbers(other)]
  const index = [0, 1, 2].find(place => (left[place] ?? 0) !== (right[place] ?? 0)) ?? 0
  return (left[index] ?? 0) - (right[index] ?? 0)
}
