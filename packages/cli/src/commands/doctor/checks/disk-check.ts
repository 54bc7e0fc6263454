import { access, constants, statfs } from 'node:fs/promises'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, findingsOf } from '../finding.ts'

const scarce = 1_000_000_000
const tooLittle = 100_000_000

/** The room on the disk of the project, or of the folder that the command runs in, and whether it can be written to. */
export const checkDisk = async ({ project, io }: DoctorContext): Promise<Finding[]> => {
  const { ok, warn, fail } = findingsOf('This computer', 'disk')
  const folder = project?.folder ?? io.cwd
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const words = `${free >= scarce ? `${Math.floor(free / 1e9)} GB` : `${Math.floor(free / 1e6)} MB`} of disk free`
  const fix = 'Make room: an oracle whose disk is full answers reads alone.'
  const room = free < tooLittle ? fail(`Only ${words}.`, fix) : free < scarce ? warn(`Only ${words}.`, fix) : ok(words)
  if (!project) return [room]
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (writable) return [room]
  const unwritable = findingsOf('Files', 'folder').fail(
    `You may not write to ${folder}.`,
    'Give yourself the right to: its database is there, unless DATABASE_URL names another place.',
  )
  return [room, unwritable]
}
