import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import type { CommandError } from '../errors/command-error.ts'
import { openHomeFolder } from '../home/home-folder.ts'
import { replaceFile } from '../home/through-draft.ts'
import type { SigningPlace } from './signing-place.ts'
import type { SigningScreen } from './signing-screen.ts'
import { type OpenedPort, openPort } from './signing-server.ts'

/** The default port for signing. */
const usualSigningPort = 4180

/** Further ports, below the range of ephemeral ports. */
const nearby = Array.from({ length: 19 }, (_, index) => usualSigningPort + 1 + index)

/** A port of the signing page. */
interface ListeningPort extends OpenedPort {
  /** Stores it as the port of later signatures: browsers store their keys per address. */
  keep(): Promise<void>
}

/**
 * Listens at the port of the last signature, or at another one, which is reported.
 *
 * @throws `signing_offline` when this computer cannot listen there, or the port of a tunnel is in use
 */
export const listen = async (
  place: SigningPlace,
  folder: string,
  screen: Pick<SigningScreen, 'print'>,
): Promise<ListeningPort> => {
  const usual = await signingPort(folder)
  const opened = await openFirst(place, [usual, ...(place.isTunnelled ? [] : [...nearby, 0])])
  if (opened.port === usual) return { ...opened, keep: async () => {} }
  screen.print(`Port ${usual} is in use, perhaps by another sibyl that waits for a phone; using ${opened.port}.`, true)
  screen.print('A browser stores its key per address: at this one it needs your backup words once.', true)
  return { ...opened, keep: () => keepSigningPort(folder, opened.port) }
}

const openFirst = async (place: SigningPlace, ports: readonly number[]): Promise<OpenedPort> => {
  const { host, isTunnelled } = place
  const [port = 0, ...others] = ports
  try {
    return await openPort(host, port)
  } catch (error) {
    if (isTaken(error) && isTunnelled) throw tunnelTaken(port, error)
    if (isTaken(error) && others.length > 0) return openFirst(place, others)
    throw explain(error, host)
  }
}

const tunnelTaken = (port: number, cause: unknown): CommandError => {
  const remedy = 'Stop that program, perhaps a sibyl that waits for a phone, and run the command again.'
  return cliErrors.signing_offline(`Port ${port}, the target of the tunnel, is already in use.`, remedy, {
    cause,
  })
}

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(codeOf(error) ?? '')

const explain = (cause: unknown, host: string): CommandError => {
  const remedy = 'Set SIBYL_SIGNING_HOST to an address of this computer, or unset it.'
  return cliErrors.signing_offline(`This computer cannot listen at ${host} (${codeOf(cause) ?? 'unknown'}).`, remedy, {
    cause,
  })
}

const portFile = z.object({ port: z.int().min(1).max(65_535) })

/** Returns the port of the signing page: browsers store their keys by it. */
const signingPort = async (folder: string): Promise<number> => {
  const text = await readFile(join(folder, 'signing-port.json'), 'utf8').catch(() => '')
  return portFile.safeParse(parseJson(text)).data?.port ?? usualSigningPort
}

/** Stores another port for later signatures. */
export const keepSigningPort = async (folder: string, port: number): Promise<void> => {
  await openHomeFolder(folder)
  await replaceFile(join(folder, 'signing-port.json'), `${JSON.stringify({ port })}\n`)
}
