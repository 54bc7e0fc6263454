import type { StorageLogger } from '@sibyl/storage'
import type { World } from './world.ts'

/** Returns a logger that writes to the trace of a world. */
export const worldLogger = (world: World): StorageLogger => {
  const log = (level: string) => (text: string, facts?: object) =>
    world.note(world.process?.name ?? '', level, text, JSON.stringify(facts ?? {}))
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}
