import { expect, test } from 'vitest'
import { cliErrors } from '../errors/cli-errors.ts'
import { atFreePort } from './at-free-port.ts'

const taken = cliErrors.devnet_not_started('The port is taken.', '', { reason: 'port_taken' })

test('if another program took the port meanwhile, tries the next one', async () => {
  const tried: number[] = []
  const start = async (port: number) => {
    if (tried.push(port) < 3) throw taken
    return port
  }
  expect(await atFreePort(start)).toBe(tried[2])
  expect(tried).toHaveLength(3)
})

test('reports other errors immediately, and repeated ones in the end', async () => {
  let tries = 0
  const failing = (error: Error) => () => {
    tries += 1
    return Promise.reject(error)
  }
  await expect(atFreePort(failing(cliErrors.devnet_not_started('No.', '')))).rejects.toThrow('No.')
  expect(tries).toBe(1)
  await expect(atFreePort(failing(taken))).rejects.toBe(taken)
  expect(tries).toBe(6)
})
