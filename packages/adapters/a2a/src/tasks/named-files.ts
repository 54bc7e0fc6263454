import type { TurnEvent } from '@sibyl/plugin/host'
import { z } from 'zod'

/** A file that a tool named in its output. */
export interface NamedFile {
  readonly path: string
  readonly sha256: string
}

const namedFile = z.object({ path: z.string().max(4_096), sha256: z.string().length(64) })

/** Reads a turn to its end, and returns the files that its tools name. */
export const namedFiles = async (events: AsyncIterable<TurnEvent>): Promise<readonly NamedFile[]> => {
  const files = new Map<string, NamedFile>()
  for await (const { event } of events) {
    const file = event.type === 'tool-output-available' ? namedFile.safeParse(event.output).data : undefined
    if (file) files.set(file.path, file)
  }
  return [...files.values()]
}
