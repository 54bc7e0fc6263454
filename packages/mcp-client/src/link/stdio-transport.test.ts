import { once } from 'node:events'
import { EventEmitter } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createStdioTransport } from './stdio-transport.ts'

describe('a program that closes its input before it exits', () => {
  test('has exited when the message to it fails, so that the exit code can be shown', async () => {
    const content = new EventEmitter()
    const program = `
      require('node:fs').closeSync(0)
      process.stderr.write('closed\\n')
      setTimeout(() => process.exit(7), 100)`
    const limits = { maxMessageBytes: 10_000, endTimeoutMs: 2_000 }
    const output = { write: (text: string) => content.emit('text', text), end: () => {} }
    const transport = createStdioTransport(
      { kind: 'stdio', command: process.execPath, args: ['-e', program], env: {} },
      limits,
      output,
    )
    const closed = once(content, 'text')
    await transport.start()
    await closed

    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('EPIPE')

    expect(transport.ended).toMatchObject({ code: 7, wasClosed: false })
  })
})
