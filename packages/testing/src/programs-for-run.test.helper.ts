import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * Offers a test run the programs that its tests start, each bundled once into a file that loads in a third of the time of its
 * sources; for vitest's `globalSetup`.
 */
export const setup = async (): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-programs-'))
  const made = new Map<string, Promise<string>>()
  const listener = createServer({ allowHalfOpen: true }, async client => {
    client.on('error', () => {})
    const file = await text(client)
    const making = made.get(file) ?? bundle(file, join(folder, String(made.size)))
    made.set(file, making)
    making.then(
      path => client.end(path),
      error => {
        console.error(`The source of ${file} runs instead of a bundle:`, error)
        client.destroy()
      },
    )
  })
  const socket = join(folder, 'socket')
  await new Promise<void>(resolve => listener.listen(socket, resolve))
  process.env.SIBYL_TEST_PROGRAMS = socket
  return () => {
    listener.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const bundle = async (file: string, dir: string): Promise<string> => {
  const made = await rolldown({
    input: file,
    platform: 'node',
    resolve: { conditionNames: ['sibyl-source', 'node'] },
    plugins: [{ name: 'place', transform: (code, id) => ({ code: withPlace(code, id) }) }],
  })
  await made.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await made.close()
  return join(dir, `${basename(file, '.ts')}.mjs`)
}

/** A module finds its workers and files where its source is. */
const withPlace = (code: string, id: string): string =>
  code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
