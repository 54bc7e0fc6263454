import { operatorToken } from '../../oracle/operator-token.ts'
import { oracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openBrowser } from '../../process/open-browser.ts'
import { addressForBrowser, addressWithCode, consoleAddress } from './console-address.ts'
import type { ConsoleOptions } from './console-command.ts'

/** Runs `sibyl console`: opens the console, and prints its address where it cannot be opened. */
export const openConsole = async (
  { user = false, print = false, json = false, ...options }: ConsoleOptions,
  io: CommandIo,
): Promise<void> => {
  const token = await operatorToken(options, io)
  const url = await oracleUrl(options, io)
  const given = await consoleAddress({ url, token, asUser: user }, io)
  if (json) return writeJson(io, { address: addressWithCode(given), signedIn: given.code !== undefined })
  const { address, rest } = addressForBrowser(given)
  if (!print && (await openBrowser(address, io))) {
    io.stdout.write(`Opened ${cleanLine(given.address)}\n`)
    if (rest !== undefined) io.stdout.write(`Type this code there: ${cleanLine(rest)}\n`)
    return
  }
  io.stdout.write(`${cleanLine(addressWithCode(given))}\n`)
  io.stderr.write(
    given.code !== undefined
      ? 'Open this address within 5 minutes. It signs in once.\n'
      : 'Open this address and sign in. ORACLE_OPERATOR_TOKEN is unset, so the address does not sign you in.\n',
  )
}
