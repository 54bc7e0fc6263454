import type { JsonValue } from '@sibyl/protocol'
import type { CommandIo } from '../command-io.ts'
import { safeJson } from '../output/clean-text.ts'
import { writeJson } from '../output/write-json.ts'
import type { RegistryPlace } from './registry-node.ts'

/** Where a request would go, and how it is told. */
export interface PreviewOptions {
  readonly place: RegistryPlace
  /** One object on standard output, and no word besides. */
  readonly json: boolean | undefined
}

/** Shows on standard output what would be sent to a registry, as JSON. */
export const showPreview = (request: JsonValue, { place, json }: PreviewOptions, io: CommandIo): void => {
  if (json) {
    writeJson(io, { dryRun: true, request })
    return
  }
  io.stderr.write(`Nothing was changed. To ${place.title} would go:\n`)
  io.stdout.write(`${safeJson(request, 2)}\n`)
}
