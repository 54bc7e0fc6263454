import { statfs } from 'node:fs/promises'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { formatDuration } from '../../../output/format.ts'
import { readProjectFile } from '../../../project/read-project-file.ts'
import { type DoctorContext, isWritable } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const manifest = z.object({ engines: z.object({ node: z.string().max(200) }) })

const leastNode = '>=22.18'

/** Checks the version of Node against the requirement of the project. */
export const checkNode = async ({ project }: DoctorContext): Promise<Finding[]> => {
  const { ok, fail } = findingsOf('This computer', 'node')
  const text = project ? await readProjectFile(`${project.folder}/package.json`) : undefined
  const asked = manifest.safeParse(parseJson(text ?? '')).data?.engines.node ?? leastNode
  const running = process.versions.node
  const [, least] = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(asked.trim()) ?? []
  if (least === undefined || compareVersions(running, least) >= 0) return [ok(`Node.js ${running}`)]
  return [
    fail(
      `The Node.js version is ${running}; the project requires ${asked}.`,
      'Install Node.js 24, or a version that the project supports.',
    ),
  ]
}

/** Compares versions numerically: below zero if the first is older. */
export const compareVersions = (one: string, other: string): number => {
  const numbers = (version: string) => version.split('.').map(part => Number.parseInt(part, 10) || 0)
  const [left, right] = [numbers(one), numbers(other)]
  const index = [0, 1, 2].find(place => (left[place] ?? 0) !== (right[place] ?? 0)) ?? 0
  return (left[index] ?? 0) - (right[index] ?? 0)
}

/** Clock skew that invocations tolerate, in milliseconds. */
const borne = 60_000

/** Checks the clock of this computer against those in all responses of the other checks. */
export const checkClock = ({ times }: DoctorContext): Finding[] => {
  const { ok, fail } = findingsOf('This computer', 'clock')
  const off = times
    .map(({ host, time, ownTime }) => ({ host, by: ownTime - time }))
    .toSorted((one, other) => Math.abs(other.by) - Math.abs(one.by))
  const [worst] = off
  if (!worst) return []
  if (Math.abs(worst.by) <= borne)
    return [ok(`The clock agrees with ${[...new Set(off.map(it => it.host))].toSorted().join(', ')}`)]
  const side = worst.by > 0 ? 'ahead of' : 'behind'
  return [
    fail(
      `The clock is ${formatDuration(Math.abs(worst.by))} ${side} that of ${worst.host}.`,
      'Synchronize it (timedatectl set-ntp true): tokens that are 60 s off are rejected.',
    ),
  ]
}

const scarce = 1_000_000_000
const tooLittle = 100_000_000

/** Checks the free space on the disk of the project or the current folder, and whether it is writable. */
export const checkDisk = async ({ project, io }: DoctorContext): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('This computer', 'disk')
  const folder = project?.folder ?? io.cwd
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const words = `${free >= scarce ? `${Math.floor(free / 1e9)} GB` : `${Math.floor(free / 1e6)} MB`} of disk free`
  const fix = 'Free disk space: with a full disk an oracle serves only reads.'
  const space = free < tooLittle ? fail(`Only ${words}.`, fix) : free < scarce ? warn(`Only ${words}.`, fix) : ok(words)
  if (!project) return [space]
  if (await isWritable(folder)) return [space]
  const unwritable = findingsOf('Files', 'folder').fail(
    `${folder} is not writable.`,
    'Grant yourself write permission: the database is there, unless DATABASE_URL is set.',
  )
  return [space, unwritable]
}
