import type { CommandIo } from '../command-io.ts'
import { safeJson } from '../output/clean-text.ts'
import { writeJson } from '../output/write-json.ts'
import { openChainNode, openChainRegistry } from './chain-node.ts'
import type { Controller } from './controller.ts'
import { httpRequestOf } from './http-request-of.ts'
import type { RegistryWrite } from './opened-registry.ts'
import type { RegistryPlace } from './registry-node.ts'

/** Whose write it would be, and where. */
export interface PreviewOptions {
  readonly place: RegistryPlace
  readonly controller: Controller
  /** One object on standard output, and no word besides. */
  readonly json: boolean
}

/** Shows what would be sent to a registry, on standard output and as JSON; nothing is sent. */
export const previewWrite = async (
  write: RegistryWrite,
  { place, controller, json }: PreviewOptions,
  io: CommandIo,
): Promise<void> => {
  const request =
    place.network === 'devnet' ? httpRequestOf(place.url, write) : await chainPreview(write, place, controller)
  if (json) return writeJson(io, { dryRun: true, request })
  io.stderr.write(`Nothing was sent. To ${place.title}, signed by ${controller.signer.did}, would go:\n`)
  io.stdout.write(`${safeJson(request, 2)}\n`)
}

const chainPreview = async (write: RegistryWrite, place: RegistryPlace, controller: Controller) => {
  const opened = await openChainRegistry(await openChainNode(place.network, place.url), controller)
  return opened.preview(write).finally(() => opened.close())
}
