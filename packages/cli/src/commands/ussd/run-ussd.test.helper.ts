import { onTestFinished } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { startGateway, type TestGateway } from './gateway.test.helper.ts'

/** Starts a gateway that ends with the test. */
export const serve = async (...given: Parameters<typeof startGateway>): Promise<TestGateway> => {
  const gateway = await startGateway(...given)
  onTestFinished(() => gateway.close())
  return gateway
}

/** Runs the command with what is piped in. */
export const script = async (url: string, args: readonly string[], stdin = '', env = {}) => {
  const terminal = new FakeTerminal({ SIBYL_URL: url, ...env }, false)
  terminal.stdin.end(stdin)
  const code = await run(['ussd', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors, raw: terminal.raw }
}

/** Opens the phone on a terminal. */
export const hand = (url: string, args: readonly string[] = [], columns = 80) => {
  const terminal = new FakeTerminal({ SIBYL_URL: url }, true, columns)
  return { terminal, ended: run(['ussd', ...args], terminal.io) }
}
