import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/**
 * Returns the file of a program that tests start, for `node --conditions=sibyl-source`: a bundle of the test run, or its source
 * outside of one.
 */
export const testProgram = async (source: URL): Promise<string> => {
  const file = fileURLToPath(source)
  const socket = process.env.SIBYL_TEST_PROGRAMS
  if (socket === undefined) return file
  const client = connect({ path: socket, allowHalfOpen: true })
  client.end(file)
  return (await text(client)) || file
}
